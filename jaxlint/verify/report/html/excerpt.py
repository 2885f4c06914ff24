"""The lines of source that a finding speaks of, with what it points at marked."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from jaxlint.diagnostics import Diagnostic, Note, Span
from jaxlint.report.paths import PathPrinter
from jaxlint.verify.notebooks import cell_of, module_text
from jaxlint.verify.report.figures import near_text
from jaxlint.verify.report.html.elements import NOTHING, Html, join, lines, markup, place, tag, ticked

#: What Python calls a line end; a form feed or U+2028 is none.
_LINE_END: Final = re.compile(r"\r\n|\r|\n")
#: How many lines of one long span are shown.
_SPAN_LINES: Final = 6
_AROUND: Final = 1
#: A longer line is cut to the part around what is marked.
_LINE: Final = 240
_BEFORE: Final = 80


@dataclass(slots=True)
class Sources:
    """The lines of files, read once each."""

    read_text: Callable[[str], str | None]
    known: dict[str, Sequence[str]] = field(default_factory=dict)

    def lines(self, path: str) -> Sequence[str]:
        """The lines of a file without their ends; none where it cannot be read."""
        if path not in self.known:
            text = module_text(path, written=True) or self.read_text(path)
            self.known[path] = () if text is None else _LINE_END.split(text)
        return self.known[path]


def excerpt(diagnostic: Diagnostic, sources: Sources, paths: PathPrinter) -> Html:
    """The flagged lines, and those of the evidence, each file for itself; below them what the evidence says."""
    notes = [note for note in diagnostic.notes if note.message]
    placed = [(note.path, note.span) for note in notes if note.path and note.span]
    files: dict[str, list[Span]] = {diagnostic.path: []}
    for path, span in placed:
        files.setdefault(path, []).append(span)
    shown = []
    for path, spans in files.items():
        own = diagnostic.span if path == diagnostic.path else None
        label = NOTHING if own else tag("p", place(path, spans[0].line, paths), class_="file")
        shown.append(label + _listing(sources.lines(path), path, own, spans))
    said = [_said(note, diagnostic, paths) for note in notes]
    evidence = tag("ul", lines(*said), class_="notes") if said else NOTHING
    return lines(*(Html(part) for part in shown), evidence)


def _said(note: Note, diagnostic: Diagnostic, paths: PathPrinter) -> Html:
    if note.span is None or note.path is None:
        return tag("li", ticked(note.message))
    if note.path == diagnostic.path:
        where = markup(near_text(note.path, note.span.line, (diagnostic.path, diagnostic.span.line), paths))
    else:
        where = place(note.path, note.span.line, paths)
    return tag("li", where, ": ", ticked(note.message))


def _listing(source: Sequence[str], path: str, own: Span | None, noted: Sequence[Span]) -> Html:
    marks = {**_marked(noted, "noted"), **_marked([own] if own else [], "flagged")}
    cells = {cell_of(path, number)[0] for number in marks}
    wanted = [number for number in _lines_around(marks, own, len(source)) if cell_of(path, number)[0] in cells]
    rows: list[Html] = []
    previous = wanted[0] if wanted else 0
    for number in wanted:
        if number > previous + 1:
            rows.append(tag("span", tag("i", "⋮"), class_="gap"))
        previous = number
        span, class_ = marks.get(number, (None, ""))
        code = _code(source[number - 1], number, span, class_)
        rows.append(tag("span", tag("i", str(cell_of(path, number)[1])), tag("code", code)))
    return tag("pre", join(rows), class_="source") if rows else NOTHING


def _marked(spans: Sequence[Span], class_: str) -> Mapping[int, tuple[Span, str]]:
    return {number: (span, class_) for span in spans for number in range(span.line, span.end_line + 1)}


def _lines_around(marks: Mapping[int, tuple[Span, str]], own: Span | None, count: int) -> list[int]:
    """The marked lines, of long spans only the first, and those around the finding itself."""
    found = {number for number, (span, _) in marks.items() if number < span.line + _SPAN_LINES}
    if own is not None:
        last = min(own.end_line, own.line + _SPAN_LINES - 1)
        found.update(range(own.line - _AROUND, last + _AROUND + 1))
    found.update(number + 1 for number in list(found) if number + 2 in found)
    return sorted(number for number in found if 1 <= number <= count)


def _code(line: str, number: int, span: Span | None, class_: str) -> Html:
    start = span.column - 1 if span and number == span.line else len(line) - len(line.lstrip())
    end = span.end_column - 1 if span and number == span.end_line else len(line)
    if span is None or end <= start:
        return _plain(_cut(line, 0)[0])
    text, left = _cut(line, start)
    start, end = start - left, max(start, min(end, left + _LINE)) - left
    marked = tag("mark", _plain(text[start:end]), class_=class_)
    head = "…" if left else ""
    return join((head, _plain(text[:start]), marked, _plain(text[end:])))


def _cut(line: str, start: int) -> tuple[str, int]:
    """A part of a long line that holds the place `start`, and where it begins."""
    left = max(0, start - _BEFORE) if len(line) > _LINE else 0
    return line[left : left + _LINE] + ("…" if len(line) > left + _LINE else ""), left


def _plain(text: str) -> Html:
    return join((text.replace("\t", "    ").replace("\f", " "),))
