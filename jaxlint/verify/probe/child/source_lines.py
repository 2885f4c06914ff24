"""What stands on a line of the user's source: the statement, and the functions that it calls by name."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from types import FrameType, ModuleType
from typing import Any

from .outline import read_tree


class SourceLines:
    """The lines of the files that are watched, read once each."""

    def __init__(self) -> None:
        self._statements: dict[str, dict[int, ast.stmt]] = {}
        self._calls: dict[str, dict[int, list[ast.Call]]] = {}
        self._compound: dict[str, list[ast.stmt]] = {}

    def statement(self, path: str, line: int) -> ast.stmt | None:
        """The innermost statement that covers a line."""
        self._read(path)
        return self._statements[path].get(line)

    def tests(self, path: str, line: int) -> list[ast.expr]:
        """The tests of the branches that a line stands in, or itself makes."""
        return [node.test for node in self._around(path, line) if isinstance(node, (ast.If, ast.IfExp))]

    def is_in_short_loop(self, path: str, line: int) -> bool:
        """Whether a line runs over values that are written in place: so many, and never more."""
        loops = [n.iter for n in self._around(path, line) if isinstance(n, (ast.For, ast.comprehension))]
        return any(isinstance(node, (ast.Tuple, ast.List)) or _is_short_range(node) for node in loops)

    def _around(self, path: str, line: int) -> list[ast.AST]:
        self._read(path)
        covering = (s for s in self._compound[path] if s.lineno <= line <= (s.end_lineno or s.lineno))
        own = self._statements[path].get(line)
        inner = [] if own is None else [n for n in ast.walk(own) if isinstance(n, (ast.IfExp, ast.comprehension))]
        return [*covering, *inner]

    def calls(self, path: str, line: int) -> list[ast.Call]:
        """The calls that begin on a line."""
        self._read(path)
        return self._calls[path].get(line, [])

    def called(self, frame: FrameType) -> Iterator[Any]:
        """The objects that the current line of a frame calls, where plain names lead to them."""
        for call in self.calls(frame.f_code.co_filename, frame.f_lineno):
            found = _object(call.func, frame)
            try:
                hash(found)
            except TypeError:
                continue
            if found is not None:
                yield found

    def names(self, path: str, line: int) -> list[str]:
        """The last names of what a line calls."""
        return [_last(call.func) for call in self.calls(path, line)]

    def _read(self, path: str) -> None:
        if path not in self._statements:
            self._statements[path], self._calls[path] = _tables(path)
            found = {id(s): s for s in _all_statements(path) if isinstance(s, (ast.If, ast.For))}
            self._compound[path] = list(found.values())


@cache
def _all_statements(path: str) -> tuple[ast.stmt, ...]:
    try:
        return tuple(node for node in ast.walk(read_tree(path)[0]) if isinstance(node, ast.stmt))
    except (OSError, SyntaxError, ValueError):
        return ()


def _is_short_range(node: ast.expr) -> bool:
    is_range = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "range"
    return is_range and all(isinstance(argument, ast.Constant) for argument in node.args)  # type: ignore[attr-defined]


@cache
def _tables(path: str) -> tuple[dict[int, ast.stmt], dict[int, list[ast.Call]]]:
    statements: dict[int, ast.stmt] = {}
    calls: dict[int, list[ast.Call]] = {}
    try:
        tree = read_tree(path)[0]
    except (OSError, SyntaxError, ValueError):
        return statements, calls
    for node in ast.walk(tree):  # by levels: a later statement is deeper
        if isinstance(node, ast.stmt):
            for line in range(node.lineno, (node.end_lineno or node.lineno) + 1):
                statements[line] = node
        elif isinstance(node, ast.Call):
            calls.setdefault(node.lineno, []).append(node)
    return statements, calls


def _last(node: ast.expr) -> str:
    return str(getattr(node, "attr", None) or getattr(node, "id", ""))


def _object(node: ast.expr, frame: FrameType) -> Any:
    """What a chain of names stands for in a frame, through modules and classes alone: nothing of the user's is run."""
    if isinstance(node, ast.Name):
        return frame.f_locals.get(node.id, frame.f_globals.get(node.id))
    if isinstance(node, ast.Attribute):
        base = _object(node.value, frame)
        return getattr(base, node.attr, None) if isinstance(base, (ModuleType, type)) else None
    return None
