"""What the user wrote where something was compiled: `model.apply` in `jax.jit(model.apply)`."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from functools import cache
from typing import Final

from jaxlint.verify.observe.places import source_lines

_WRAPPERS: Final = frozenset({"jit", "pmap", "pjit", "filter_jit", "filter_pmap"})
_MAX_NAME: Final = 60


def jitted_name(path: str, line: int, span: Sequence[int] | None, own_name: str) -> str:
    """A name for what is compiled at a line, of its text and of what the function calls itself.

    `span` is the expression's place as Python tells it; None where it does not, and the line has to do.
    """
    text = next((_argument(call) for call in _calls(path) if _is_at(call, line, span)), "")
    if not text or len(text) > _MAX_NAME:
        return own_name
    return f"{text} ({own_name})" if text.isidentifier() and text != own_name else text


@cache
def _calls(path: str) -> tuple[ast.Call, ...]:
    """The calls of a file, outer ones first; none where it cannot be read."""
    try:
        tree = ast.parse("\n".join(source_lines(path)))
    except (SyntaxError, ValueError, RecursionError):
        return ()
    return tuple(node for node in ast.walk(tree) if isinstance(node, ast.Call))


def _is_at(call: ast.Call, line: int, span: Sequence[int] | None) -> bool:
    if span is None:
        return call.lineno == line and _compiles(call.func)
    return [call.lineno, call.col_offset, call.end_lineno, call.end_col_offset] == list(span)


def _compiles(function: ast.expr) -> bool:
    """Whether it is called like a transform that compiles, or like one with its options given."""
    if isinstance(function, ast.Call):
        return _compiles(function.func) or any(_compiles(argument) for argument in function.args)
    name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
    return name in _WRAPPERS


def _argument(call: ast.Call) -> str:
    """The text of the function that is given, on one line."""
    named = [keyword.value for keyword in call.keywords if keyword.arg in ("fun", "f")]
    given = next(iter([*call.args, *named]), None)
    return "" if given is None else ast.unparse(given)
