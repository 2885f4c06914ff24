"""Expressions of a module that call what is probed, with nothing in them but literals and what the module defines."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from types import CodeType, ModuleType
from typing import Any

from .resolving import Resolver, assigned_once, scoped_calls

_MOST = 4


class Sites:
    """The places of one module from which a function of it is called, directly or through others of the module."""

    def __init__(self, tree: ast.Module, module: ModuleType) -> None:
        self.tree = tree
        self.module = module
        self.mentions = _mentions(tree)
        self.top = assigned_once(tree)

    def calling(self, qualname: str, *, outermost_first: bool) -> Iterator[tuple[int, Callable[[], Any]]]:
        """Up to four such expressions, each with its line, in order of their distance from the function."""
        wanted = qualname.split(".", 1)[0]
        distance = self._callers(wanted)
        found = []
        for call, scope in scoped_calls(self.tree):
            written = Resolver(self.module, scope, frozenset(self.mentions), self.top).resolve(call)
            if written is not None and _has_arguments(written):
                nearest = [distance[name] for name in _names(written) if name in distance]
                if nearest:
                    found.append((min(nearest), call.lineno, ast.unparse(written)))
        for _, line, text in sorted(
            dict.fromkeys(found), key=lambda site: (-site[0] if outermost_first else site[0], site[1:])
        )[:_MOST]:
            yield line, self._evaluation(text)

    def _callers(self, wanted: str) -> dict[str, int]:
        """The module's names from which the wanted one is reached, by the number of steps."""
        distance = {wanted: 0}
        waiting = [wanted]
        while waiting:
            name = waiting.pop(0)
            for holder, mentioned in self.mentions.items():
                if name in mentioned and holder not in distance:
                    distance[holder] = distance[name] + 1
                    waiting.append(holder)
        return distance

    def _evaluation(self, text: str) -> Callable[[], Any]:
        code: CodeType = compile(text, "<call site>", "eval")
        names = dict(vars(self.module))
        return lambda: eval(code, names)


def _mentions(tree: ast.Module) -> dict[str, set[str]]:
    """The names that each of the module's functions, classes and variables mentions."""
    result: dict[str, set[str]] = {}
    for node in tree.body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            result.setdefault(node.name, set()).update(_names(node))
        elif isinstance(node, ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Name):
                    result.setdefault(target.id, set()).update(_names(node.value))
    return result


def _names(node: ast.AST) -> set[str]:
    return {inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name)}


def _has_arguments(call: ast.expr) -> bool:
    """Whether a call is given anything: one that is not is a program, such as `main()`."""
    return isinstance(call, ast.Call) and bool(
        call.args or call.keywords or isinstance(call.func, (ast.Call, ast.Attribute))
    )
