"""What the user wrote where something was compiled: `model.apply` in `jax.jit(model.apply)`."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Final, NamedTuple

from jaxlint.verify.observe.places import source_lines

_WRAPPERS: Final = frozenset({"jit", "pmap", "pjit", "filter_jit", "filter_pmap"})
_MAX_NAME: Final = 60


class Jitted(NamedTuple):
    """What is compiled at a line: the line that it is told at, and a name that a person knows it by."""

    line: int
    name: str


def jitted_at(path: str, line: int, span: Sequence[int] | None, own_name: str) -> Jitted:
    """What is compiled at a line: the function that is decorated there, else by its text and what it calls itself.

    `span` is the expression's place as Python tells it; None where it does not, and the line has to do.
    """
    decorated = next((found for decorator, found in _decorated(path) if _is_place(decorator, line, span)), None)
    if decorated is not None:
        return decorated
    text = next((_argument(call) for call in _calls(path) if _is_at(call, line, span)), "")
    if not text or len(text) > _MAX_NAME:
        return Jitted(line, own_name)
    return Jitted(line, f"{text} ({own_name})" if text.isidentifier() and text != own_name else text)


@cache
def _tree(path: str) -> ast.Module:
    """A file's tree, empty where it cannot be read."""
    try:
        return ast.parse("\n".join(source_lines(path)))
    except (SyntaxError, ValueError, RecursionError):
        return ast.Module([], [])


@cache
def _calls(path: str) -> tuple[ast.Call, ...]:
    """The calls of a file, outer ones first."""
    return tuple(node for node in ast.walk(_tree(path)) if isinstance(node, ast.Call))


@cache
def _decorated(path: str) -> tuple[tuple[ast.expr, Jitted], ...]:
    """The decorators of a file, each with the function below it by the name that Python gives it."""
    return tuple(_decorators(_tree(path), ""))


def _decorators(node: ast.AST, scope: str) -> Iterator[tuple[ast.expr, Jitted]]:
    for child in ast.iter_child_nodes(node):
        inside = scope
        if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            inside = f"{scope}{child.name}."
            if not isinstance(child, ast.ClassDef):
                inside += "<locals>."
                yield from ((found, Jitted(child.lineno, scope + child.name)) for found in child.decorator_list)
        yield from _decorators(child, inside)


def _is_place(node: ast.expr, line: int, span: Sequence[int] | None) -> bool:
    if span is None:
        return node.lineno == line
    return [node.lineno, node.col_offset, node.end_lineno, node.end_col_offset] == list(span)


def _is_at(call: ast.Call, line: int, span: Sequence[int] | None) -> bool:
    if span is None:
        return call.lineno == line and _compiles(call.func)
    return _is_place(call, line, span)


def _compiles(function: ast.expr) -> bool:
    """Whether it is called like a transform that compiles, or like one with its options given."""
    if isinstance(function, ast.Call):
        if _compiles(function.func):  # `jit(static_argnums=0)`; but `jit(f)` is compiled already, and called
            return not _argument(function)
        return any(_compiles(argument) for argument in function.args)
    name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
    return name in _WRAPPERS


def _argument(call: ast.Call) -> str:
    """The text of the function that is given, on one line."""
    named = [keyword.value for keyword in call.keywords if keyword.arg in ("fun", "f")]
    given = next(iter([*call.args, *named]), None)
    return "" if given is None else ast.unparse(given)
