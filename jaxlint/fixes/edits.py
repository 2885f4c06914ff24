"""Edits put into a text: whole fixes or none of them, the earlier one where two overlap."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from jaxlint.diagnostics import Edit, Fix
from jaxlint.syntax.positions import LineIndex


class Placed(NamedTuple):
    """An edit by offsets into the text; equal ends insert."""

    start: int
    end: int
    text: str


def place(lines: LineIndex, edits: Iterable[Edit]) -> list[Placed]:
    """Where edits stand in the text that the lines are those of, in order."""
    return sorted(Placed(_offset(lines, e.span.line, e.span.column), _end(lines, e), e.text) for e in edits)


def _offset(lines: LineIndex, line: int, column: int) -> int:
    return lines.starts[line - 1] + column - 1


def _end(lines: LineIndex, edit: Edit) -> int:
    return _offset(lines, edit.span.end_line, edit.span.end_column)


def apply(text: str, edits: Iterable[Edit]) -> str:
    """The text with the edits of one fix made, or of several that do not overlap."""
    return put(text, place(LineIndex(text), edits))


def put(text: str, edits: Sequence[Placed]) -> str:
    """The text with edits made that are in order and do not overlap."""
    parts: list[str] = []
    at = 0
    for edit in edits:
        parts += (text[at : edit.start], edit.text)
        at = edit.end
    return "".join((*parts, text[at:]))


def choose(lines: LineIndex, fixes: Sequence[Fix]) -> tuple[list[Fix], list[Placed]]:
    """The fixes that can be made together, and their edits in order.

    Of two that touch the same text the first is taken; an edit that both make, such as an import, is no conflict.
    """
    chosen: list[Fix] = []
    edits: list[Placed] = []
    for fix in fixes:
        new = [edit for edit in place(lines, fix.edits) if not _is_in(edits, edit)]
        if not any(_clash(edit, other) for edit in new for other in _neighbours(edits, edit)):
            chosen.append(fix)
            for edit in new:
                insort(edits, edit)
    return chosen, edits


def _is_in(edits: Sequence[Placed], edit: Placed) -> bool:
    at = bisect_left(edits, edit)
    return at < len(edits) and edits[at] == edit


def _neighbours(edits: Sequence[Placed], edit: Placed) -> Sequence[Placed]:
    """Those of the edits, which are in order and do not overlap, that another one may overlap: two on each side."""
    at = bisect_left(edits, edit)
    return edits[max(at - 2, 0) : at + 2]


def _clash(one: Placed, other: Placed) -> bool:
    """Whether two edits touch the same text; two insertions at one place have no order that would be right."""
    if one.start == other.start and (one.start == one.end) == (other.start == other.end):
        return True
    return one.start < other.end and other.start < one.end
