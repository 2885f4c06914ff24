"""What a fix would change, as the lines that go and the lines that come."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from jaxlint.diagnostics import Edit

#: Lines of one fix that are shown.
_MOST: Final = 16


class Line(NamedTuple):
    """One line of a preview: its number in the file, the sign `-` or `+` before it, and its text."""

    number: int
    sign: str
    text: str


def preview(edits: Sequence[Edit], lines: Sequence[str]) -> tuple[list[Line], int]:
    """The first lines that edits of one text take away and put in, and how many more there are."""
    changed = [line for group in _groups(edits) for line in _changed(group, lines)]
    return changed[:_MOST], max(len(changed) - _MOST, 0)


def _groups(edits: Sequence[Edit]) -> Iterator[list[Edit]]:
    """The edits in order, those on the same or neighbouring lines together."""
    group: list[Edit] = []
    for edit in sorted(edits, key=lambda edit: edit.span):
        if group and edit.span.line > group[-1].span.end_line + 1:
            yield group
            group = []
        group.append(edit)
    if group:
        yield group


def _changed(edits: Sequence[Edit], lines: Sequence[str]) -> Iterator[Line]:
    first, last = edits[0].span.line, max(edit.span.end_line for edit in edits)
    if last > len(lines):  # the file has changed since
        return
    before = list(lines[first - 1 : last])
    after = _edited(edits, before, first)
    while before and after and before[0] == after[0]:
        del before[0], after[0]
        first += 1
    while before and after and before[-1] == after[-1]:
        del before[-1], after[-1]
    yield from (Line(first + index, "-", text) for index, text in enumerate(before))
    yield from (Line(first + index, "+", text) for index, text in enumerate(after))


def _edited(edits: Sequence[Edit], lines: Sequence[str], first: int) -> list[str]:
    text = "\n".join(lines)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    for edit in reversed(edits):
        span = edit.span
        start = starts[span.line - first] + span.column - 1
        end = starts[span.end_line - first] + span.end_column - 1
        text = text[:start] + edit.text.replace("\r\n", "\n") + text[end:]
    return text.split("\n")
