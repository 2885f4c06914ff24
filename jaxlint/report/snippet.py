"""Source lines with labelled spans below them, in the manner of rustc."""

from __future__ import annotations

import textwrap
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeAlias

from jaxlint.diagnostics import Span
from jaxlint.text import FORGED, escape, escaped, width

Painter: TypeAlias = Callable[[str], str]

_TAB: Final = "    "
#: Lines of one span that are shown before the middle of it is left out.
_SPAN_LINES: Final = 4
_MIN_LABEL: Final = 24
_ELLIPSIS: Final = "…"


@dataclass(frozen=True, slots=True)
class Label:
    """A span with what there is to say of it, the character that underlines it and its colour."""

    span: Span
    text: str
    mark: str
    paint: Painter


class _Mark(NamedTuple):
    """The part of a label that lies on one line, in terminal cells; `text` is empty but on the span's last line."""

    start: int
    end: int
    text: str
    mark: str
    paint: Painter


class _Row(NamedTuple):
    """One line of source as shown, with the cell at which each of its characters starts and where it ends."""

    text: str
    cells: tuple[int, ...]

    def cell(self, column: int) -> int:
        """The cell of a column from 1; columns past the end lie at the end."""
        return self.cells[min(max(column - 1, 0), len(self.cells) - 1)]


def line_number_width(labels: Iterable[Label]) -> int:
    """The width of the gutter that all labels need."""
    return max((len(str(label.span.end_line)) for label in labels), default=1)


def snippet(
    lines: Sequence[str], labels: Sequence[Label], *, gutter: int, frame: Painter, columns: int
) -> Iterator[str]:
    """The lines that labels touch, each with its marks and texts below; `...` where lines are left out."""
    pieces = _pieces(lines, labels)
    room = max(columns - gutter - 3, _MIN_LABEL)
    bar = frame(f"{'':>{gutter}} |")
    previous: int | None = None
    for number in _with_small_gaps(pieces, len(lines)):
        if previous is not None and number > previous + 1:
            yield frame("...")
        previous = number
        row = _row(lines[number - 1] if number <= len(lines) else "")
        marks = [_mark(row, label, number) for label in pieces.get(number, ())]
        row, marks = _cropped(row, marks, room)
        yield f"{frame(f'{number:>{gutter}} |')} {row.text}".rstrip()
        yield from (f"{bar} {line}" for line in _below(marks, room))


def _pieces(lines: Sequence[str], labels: Sequence[Label]) -> dict[int, list[Label]]:
    """Which labels mark which lines; of long spans, only the first lines and the last."""
    pieces: defaultdict[int, list[Label]] = defaultdict(list)
    for label in labels:
        first, last = label.span.line, _last_line(label.span)
        for number in range(first, last + 1):
            in_the_middle = first + _SPAN_LINES - 2 < number < last
            is_blank = number <= len(lines) and not lines[number - 1].strip() and first != last
            if not in_the_middle and not is_blank:
                pieces[number].append(label)
    return pieces


def _last_line(span: Span) -> int:
    """The last line that holds something of the span: one that ends at a line's start ends on the line before."""
    return span.end_line - 1 if span.end_column == 1 and span.end_line > span.line else span.end_line


def _with_small_gaps(pieces: dict[int, list[Label]], count: int) -> list[int]:
    """The marked lines in order, and a single unmarked line between two of them rather than an ellipsis."""
    numbers = sorted(pieces)
    gaps = [a + 1 for a, b in zip(numbers, numbers[1:]) if b - a == 2 and a + 1 <= count]  # noqa: B905, RUF007
    return sorted(numbers + gaps)


def _row(line: str) -> _Row:
    shown: list[str] = []
    cells = [0]
    forged = {match.start() for match in FORGED.finditer(line)} if "##" in line else ()
    for at, character in enumerate(line):
        piece = _TAB if character == "\t" else escaped(character) if at in forged else escape(character)
        shown.append(piece)
        cells.append(cells[-1] + width(piece))
    return _Row("".join(shown), tuple(cells))


def _mark(row: _Row, label: Label, number: int) -> _Mark:
    span = label.span
    indentation = row.cells[-1] - width(row.text.lstrip())
    start = row.cell(span.column) if number == span.line else indentation
    is_last = number == _last_line(span)
    end = row.cell(span.end_column) if number == span.end_line else row.cells[-1]
    return _Mark(start, max(end, start + 1), label.text if is_last else "", label.mark, label.paint)


def _cropped(row: _Row, marks: list[_Mark], room: int) -> tuple[_Row, list[_Mark]]:
    """A line wider than the room for it is cut to the part around its first mark."""
    limit = max(room, 60)
    if row.cells[-1] <= limit or not marks:
        return row, marks
    first = min(mark.start for mark in marks)
    left = 0 if first < limit - 20 else first - 20
    right = left + limit - 2
    kept = [c for c, cell in zip(_characters(row), row.cells) if left <= cell < right]  # noqa: B905
    head = _ELLIPSIS if left else ""
    tail = _ELLIPSIS if right < row.cells[-1] else ""
    shift = len(head) - left
    moved = [
        m._replace(start=_clamp(m.start, left, right) + shift, end=_clamp(m.end, left, right) + shift) for m in marks
    ]
    moved = [m._replace(end=max(m.end, m.start + 1)) for m in moved]
    return _Row(f"{head}{''.join(kept)}{tail}", row.cells), moved


def _clamp(cell: int, low: int, high: int) -> int:
    return min(max(cell, low), high)


def _characters(row: _Row) -> Iterator[str]:
    """The shown pieces of a row, one for each character of the source."""
    pieces = iter(row.text)
    for start, end in zip(row.cells, row.cells[1:]):  # noqa: B905
        piece = next(pieces, "")
        while width(piece) < end - start:
            piece += next(pieces, " ")
        yield piece


def _below(marks: list[_Mark], room: int) -> Iterator[str]:
    """The underlines of one line and the texts that belong to them: the last beside its mark, the others hanging."""
    if not marks:
        return
    texts = sorted((m for m in marks if m.text), key=lambda m: (m.start, m.end))
    beside = _beside(marks, texts, room)
    underline = _underline(marks)
    if beside is not None:
        yield f"{underline} {beside.paint(beside.text)}"
        texts.remove(beside)
    else:
        yield underline
    if beside is not None and texts:
        yield _bars(texts)
    while texts:
        last = texts.pop()
        lines = textwrap.wrap(last.text, max(room - last.start, _MIN_LABEL)) or [""]
        before = [m for m in texts if m.start < last.start]
        for line in lines:
            yield _bars(before, then=(last.start, last.paint(line)))


def _beside(marks: list[_Mark], texts: list[_Mark], room: int) -> _Mark | None:
    """The text that can stand beside the underlines: that of the mark which ends them, when there is room."""
    if not texts:
        return None
    last = max(texts, key=lambda m: (m.start, m.end))
    ends_all = last.end >= max(m.end for m in marks)
    shares_start = any(m.start == last.start for m in texts if m is not last)
    fits = last.end + 1 + width(last.text) <= room
    return last if ends_all and fits and not shares_start else None


def _underline(marks: list[_Mark]) -> str:
    """All marks of one line drawn over each other, the primary (`^`) on top."""
    canvas: list[tuple[str, Painter | None]] = [(" ", None)] * max(m.end for m in marks)
    for mark in sorted(marks, key=lambda m: m.mark == "^"):
        canvas[mark.start : mark.end] = [(mark.mark, mark.paint)] * (mark.end - mark.start)
    return _painted(canvas)


def _painted(canvas: Sequence[tuple[str, Painter | None]]) -> str:
    """The characters with runs of one colour painted once."""
    result: list[str] = []
    at = 0
    while at < len(canvas):
        paint = canvas[at][1]
        end = at
        while end < len(canvas) and canvas[end][1] is paint:
            end += 1
        run = "".join(character for character, _ in canvas[at:end])
        result.append(paint(run) if paint else run)
        at = end
    return "".join(result)


def _bars(marks: Sequence[_Mark], then: tuple[int, str] | None = None) -> str:
    """Vertical bars below the starts of marks whose texts come further down, then perhaps a text."""
    line = ""
    at = 0
    for mark in sorted({m.start: m for m in marks}.values(), key=lambda m: m.start):
        line += " " * (mark.start - at) + mark.paint("|")
        at = mark.start + 1
    if then is not None:
        line += " " * max(then[0] - at, 0) + then[1]
    return line
