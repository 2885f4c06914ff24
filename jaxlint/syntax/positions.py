"""Every ordinal has its span, in code points: one table of start and end offsets for a module."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from jaxlint.diagnostics import Span

if TYPE_CHECKING:
    from jaxlint.syntax.lower import Lowered

LINE_BREAK: Final = re.compile(r"\r\n?|\n")
_LINE: Final = re.compile(r"[^\r\n]*(?:\r\n?|\n)|[^\r\n]+\Z")


def lines_of(text: str) -> list[str]:
    """The lines of a text with their ends, as Python counts them: a form feed ends none, unlike in `str.splitlines`."""
    return _LINE.findall(text)


class Positions(Protocol):
    """Where the nodes of a file stand."""

    def offsets(self, at: int) -> tuple[int, int]:
        """Start and end in the text of the node with the ordinal `at`. Raises IndexError where there is none."""
        ...

    @property
    def ordinals(self) -> Iterable[int]:
        """All ordinals, in order of the source."""
        ...


class PositionTable(NamedTuple):
    """Offsets into the text of the file by ordinal; ends are exclusive."""

    starts: array[int]
    ends: array[int]

    def offsets(self, at: int) -> tuple[int, int]:
        """Start and end of a node."""
        return self.starts[at], self.ends[at]

    @property
    def ordinals(self) -> Iterable[int]:
        """All ordinals, which count from 0."""
        return range(len(self.starts))


class LineIndex:
    """Where the lines of a text start, to turn offsets into lines and columns from 1."""

    __slots__ = ("starts",)

    def __init__(self, text: str) -> None:
        self.starts = array("I", [0])
        self.starts.extend(match.end() for match in LINE_BREAK.finditer(text))

    def place(self, offset: int) -> tuple[int, int]:
        """Return line and column of an offset."""
        line = bisect_right(self.starts, offset)
        return line, offset - self.starts[line - 1] + 1

    def span(self, start: int, end: int) -> Span:
        """Return the span from one offset to another."""
        return Span(*self.place(start), *self.place(end))


def compute_positions(text: str, lowered: Lowered) -> PositionTable:
    """Find the span of every lowered node, while its CST is alive.

    If, While, For, With, Try, Match and their clauses span their header only: from the keyword
    to the end of what the header tests, iterates or binds, parentheses included.
    """
    from jaxlint.syntax.extents import extents
    from jaxlint.syntax.token_extents import token_positions

    positions = token_positions(text, lowered)
    if positions is not None:
        return positions
    found = extents(text, lowered)
    return PositionTable(array("I", [start for start, _ in found]), array("I", [end for _, end in found]))
