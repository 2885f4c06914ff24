"""A text parsed piece by piece: the tree of all of it would take a hundred times the memory of the text, or more.

A piece ends before a definition that follows a blank line. If the parser takes it by itself, nothing in it goes on
behind its end: no string, bracket, decorator or backslash. The whole text then has the statements of its pieces.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final, TypeVar

_Tree = TypeVar("_Tree")
_BOUNDARY: Final = re.compile(r"\n\r?\n(?=(?:async def|class|def) |@)")


def pieces(
    text: str, least: int, parse: Callable[[str], _Tree], refusal: type[Exception]
) -> Iterator[tuple[_Tree, int, int]]:
    """The trees of the pieces of a text, which have at least so many code points, with their starts and ends in it.

    Raises `refusal`, with which `parse` says that it does not take a text.
    """
    start, length = 0, least
    while True:
        boundary = _BOUNDARY.search(text, start + length)
        end = len(text) if boundary is None else boundary.end()
        try:
            tree = parse(text[start:end])
        except refusal:
            if boundary is None:
                if start:
                    parse(text)  # says where in the whole text the mistake is
                raise
            length = 2 * (end - start)  # twice the work at most
            continue
        yield tree, start, end
        if boundary is None:
            return
        start, length = end, least
