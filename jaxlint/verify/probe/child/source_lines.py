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

    def statement(self, path: str, line: int) -> ast.stmt | None:
        """The innermost statement that covers a line."""
        self._read(path)
        return self._statements[path].get(line)

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
