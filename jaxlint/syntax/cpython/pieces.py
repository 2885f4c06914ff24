"""A text parsed piece by piece: the tree of all of it would take a hundred times the memory of the text.

A piece ends before a definition that follows a blank line. If Python parses it by itself, nothing in it goes on behind
its end: no string, bracket, decorator or backslash. The whole text then has the statements of its pieces.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterator
from typing import Final, NamedTuple, cast

from jaxlint.syntax.cpython.context import Unsupported

#: The least length of a piece, in code points: most files are one.
MIN_LENGTH: Final = 1 << 17
_BOUNDARY: Final = re.compile(r"\n\r?\n(?=(?:async def|class|def) |@)")
#: What CPython raises for a text that it cannot parse, or only this interpreter cannot.
_REFUSALS: Final = (SyntaxError, ValueError, MemoryError, RecursionError, OverflowError)


class Piece(NamedTuple):
    """Statements of a text, and the offset at which the first line of their tree starts."""

    tree: ast.Module
    start: int


def pieces(text: str) -> Iterator[Piece]:
    """The pieces of a text, in order. Raises Unsupported."""
    start, length = 0, MIN_LENGTH
    while True:
        boundary = _BOUNDARY.search(text, start + length)
        end = len(text) if boundary is None else boundary.end()
        try:
            tree = _parse(text[start:end])
        except Unsupported:
            if boundary is None:
                raise
            length = 2 * (end - start)  # twice the work at most
            continue
        yield Piece(tree, start)
        if boundary is None:
            return
        start, length = end, MIN_LENGTH


def _parse(text: str) -> ast.Module:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            tree = compile(text, "<file>", "exec", ast.PyCF_ONLY_AST, dont_inherit=True)
        except _REFUSALS as error:
            raise Unsupported(type(error).__name__) from None
    return cast("ast.Module", tree)
