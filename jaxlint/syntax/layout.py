"""How the text of a module lies in its file where it is made of cells: which part is whose, and what stands masked."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple

#: What begins a cell of a script: the percent format of editors and Jupytext, and what nbconvert writes.
_SCRIPT_CELL: Final = re.compile(r"^#[ \t]*(?:%%|In[ \t]?\[[ \d*]*\])", re.MULTILINE)
_FEEDS: Final = re.compile(r"^\f+", re.MULTILINE)
_COMMENT: Final = re.compile(r"#[^\r\n]*")


class Cell(NamedTuple):
    """One cell: offsets of its text in the module, end exclusive, and the module's line that it begins on, from 1.

    `number` counts all cells of a notebook from 1; 0 for cells that have no number, those of scripts and of Markdown.
    `margin` is what its lines are indented by beyond what they are to Python: form feeds stand in its place.
    `is_demonstration`: it shows what goes wrong. `has_run`: it was run as it was saved, and raised nothing.
    """

    number: int
    start: int
    end: int
    line: int
    margin: str = ""
    is_demonstration: bool = False
    has_run: bool = False


class Mask(NamedTuple):
    """Whole lines of the module, by offsets without the last line end, in which something stands for what is no Python.

    `is_line`: a line of its own in the cell, so that another line may come before it.
    """

    start: int
    end: int
    is_line: bool


@dataclass(frozen=True, slots=True)
class Layout:
    """The cells of a module in order, its masked lines in order, and what the names of clocks in its text stand for.

    `is_script`: the file is a Python file, and cells only say what a person runs together.
    Invariant: cells do not overlap, and no mask reaches over the end of its cell.
    """

    cells: tuple[Cell, ...]
    masks: tuple[Mask, ...] = ()
    clocks: Mapping[str, str] = field(default_factory=dict)
    is_script: bool = False

    def cell_at(self, offset: int) -> Cell | None:
        """The cell that an offset lies in or directly behind; None in front of all cells and between two of them."""
        index = bisect_right(self.cells, offset, key=lambda cell: cell.start) - 1
        return self.cells[index] if index >= 0 and offset <= self.cells[index].end else None

    def cell_of_line(self, line: int) -> Cell | None:
        """The last cell that begins on a line or above it."""
        index = bisect_right(self.cells, line, key=lambda cell: cell.line) - 1
        return self.cells[index] if index >= 0 else None

    def as_written(self, offset: int, text: str) -> str:
        """A text that is to be put at an offset, with the margin of its cell in the place of form feeds."""
        cell = self.cell_at(offset) if "\f" in text else None
        if cell is None or not cell.margin:
            return text
        margin = cell.margin
        return _FEEDS.sub(lambda match: (margin * len(match.group()))[: len(match.group())], text)

    def shows(self, text: str, end: int) -> bool:
        """Whether the value of an expression that ends at an offset is shown: nothing stands behind it in its cell."""
        cell = self.cell_at(end)
        return cell is not None and not _COMMENT.sub("", text[end : cell.end]).strip()

    def may_change(self, start: int, end: int, text: str) -> bool:
        """Whether the text between two offsets may be replaced: it lies in one cell of a document, in no masked line.

        Whole lines may come in front of a masked one.
        """
        cell = self.cell_at(start)
        if not self.is_script and (cell is None or end > cell.end):
            return False
        is_lines = start == end and text.endswith(("\n", "\r"))
        return not any(
            start <= mask.end and mask.start <= end and not (is_lines and mask.is_line and start == mask.start)
            for mask in self.masks
        )


def script_layout(text: str) -> Layout | None:
    """The layout of a script that is divided into cells; None for any other."""
    starts = [match.start() for match in _SCRIPT_CELL.finditer(text)]
    if not starts:
        return None
    return Layout(tuple(_cells(text, [0, *starts] if starts[0] else starts)), is_script=True)


def _cells(text: str, starts: list[int]) -> Iterator[Cell]:
    line = 1
    for start, following in zip(starts, [*starts[1:], len(text)], strict=True):
        yield Cell(0, start, following, line)
        line += len(re.findall(r"\r\n?|\n", text[start:following]))


def fresh_prefix(texts: Iterable[str]) -> str:
    """Two characters that none of the texts holds one behind the other, and with which a name can begin."""
    used = {behind for text in texts for behind in re.findall(r"_(?=(.))", text, re.DOTALL)}
    codes = (*range(ord("0"), ord("9") + 1), *range(ord("a"), ord("z") + 1), *range(0x3B1, 0x2_0000))
    return next(f"_{chr(code)}" for code in codes if chr(code) not in used and f"_{chr(code)}".isidentifier())
