"""The expression of a field of a formatted string, with true places: before Python 3.12 `ast` gives it wrong ones."""

from __future__ import annotations

import ast
import sys
from typing import Any

from jaxlint.syntax.cpython.context import Unsupported
from jaxlint.syntax.cpython.text_lines import TextLines

HAS_PLACES = sys.version_info >= (3, 12)


def placed_field(lines: TextLines, start: int, end: int) -> ast.expr:
    """Parse the code of a field between two offsets, without the `=` that asks for its text. Raises Unsupported."""
    code = lines.text[start:end]
    bare = code.rstrip()
    if bare.endswith("="):
        bare = bare[:-1]
    tree: Any = compile(f"({bare}\n)", "<field>", "eval", ast.PyCF_ONLY_AST, dont_inherit=True)
    value: Any = tree.body
    if (value.lineno, value.col_offset) == (1, 0):
        _unwrap(value, bare)
    first, column = _place(lines, start)
    for node in ast.walk(value):
        if isinstance(node, (ast.expr, ast.keyword, ast.arg)):
            _move(node, first - 1, column - 1)
    return value  # type: ignore[no-any-return]


def _unwrap(value: ast.expr, code: str) -> None:
    """Take our own parentheses off a tuple that was written without."""
    if not isinstance(value, ast.Tuple) or "\n" in code or "\r" in code:
        raise Unsupported("a generator in a field")
    value.col_offset = 1 + len(code) - len(code.lstrip())
    value.end_lineno = 1
    value.end_col_offset = 1 + len(code.rstrip().encode())


def _place(lines: TextLines, offset: int) -> tuple[int, int]:
    """The line of an offset, from 1, and its column in bytes, from 0."""
    line = lines.line(offset)
    return line, len(lines.text[lines.offset(line, 0) : offset].encode())


def _move(node: Any, lines: int, columns: int) -> None:  # noqa: ANN401 - any node with a place
    if node.lineno == 1:
        node.col_offset += columns
    if node.end_lineno == 1:
        node.end_col_offset += columns
    node.lineno += lines
    node.end_lineno += lines
