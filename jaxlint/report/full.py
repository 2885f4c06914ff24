"""The `full` format: each diagnostic with its source and every place of its evidence, for a person at a terminal."""

from __future__ import annotations

import os
import re
import sys
import textwrap
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, TypeAlias

from jaxlint.diagnostics import Confidence, Diagnostic, Fix, Note, Severity
from jaxlint.engine.result import Result
from jaxlint.report.fix_preview import preview
from jaxlint.report.page_address import page_address
from jaxlint.report.paint import Paint, columns
from jaxlint.report.paths import PathPrinter
from jaxlint.report.snippet import Label, line_number_width, snippet
from jaxlint.text import escape, plural

#: What Python calls a line end; a form feed or U+2028 is none.
_LINE_END: Final = re.compile(r"\r\n|\r|\n")
_CONFIDENCE: Final = {
    Confidence.LIKELY: "likely: it rests on one assumption",
    Confidence.POSSIBLE: "possible: it may be intended, or part of what decides it is unknown",
}


def full_lines(
    result: Result,
    paths: PathPrinter,
    paint: Paint,
    read_text: Callable[[str], str | None],
    read_cell: Callable[[str, int], str | None],
) -> Iterator[str]:
    """Each diagnostic drawn with its source, an empty line between two, and where to learn more."""
    drawing = _Drawing(paths, paint, _Sources(read_text, read_cell, {}), columns(os.environ, sys.stdout))
    for diagnostic in result.diagnostics:
        yield from drawing.diagnostic(diagnostic)
        yield ""
    explained = next((rule for rule in result.by_rule if rule in _pages(result)), None)
    if explained:
        yield f"To read about a rule: {paint.strong(f'jaxlint explain {explained}')}"


def _pages(result: Result) -> set[str]:
    """The rules found that have a page; the engine's own have none."""
    return {d.rule for d in result.diagnostics if d.family != "engine"}


#: What is shown together: a file by its path, or one cell of it.
_Part: TypeAlias = tuple[str, "int | None"]


@dataclass(frozen=True, slots=True)
class _Sources:
    """The lines of files and of cells, read once each."""

    read_text: Callable[[str], str | None]
    read_cell: Callable[[str, int], str | None]
    known: dict[_Part, list[str] | None]

    def lines(self, part: _Part) -> list[str] | None:
        """The lines of a file or a cell without their ends; None where it cannot be read."""
        if part not in self.known:
            path, cell = part
            text = self.read_text(path) if cell is None else self.read_cell(path, cell)
            self.known[part] = None if text is None else _LINE_END.split(text)
        return self.known[part]


@dataclass(frozen=True, slots=True)
class _Drawing:
    paths: PathPrinter
    paint: Paint
    sources: _Sources
    columns: int

    def diagnostic(self, diagnostic: Diagnostic) -> Iterator[str]:
        """One diagnostic: what, where, the source with its evidence, and what else there is to say."""
        severity = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "remark"}[diagnostic.severity]
        head = self.paint.severity(f"{severity}[{diagnostic.code} {diagnostic.rule}]", diagnostic.severity)
        head = self.paint.link(head, page_address(diagnostic)) if self.paint.has_links else head
        yield f"{head}{self.paint.strong(f': {escape(diagnostic.message)}')}"
        groups = self._groups(diagnostic)
        gutter = line_number_width(label for _, labels in groups for label in labels)
        for index, (part, labels) in enumerate(groups):
            yield from self._file(part, labels, gutter, is_first=index == 0)
        remarks = list(self._remarks(diagnostic))
        if remarks:
            yield self.paint.frame(f"{'':>{gutter}} |")
        for word, text in remarks:
            yield from self._remark(word, text, gutter)
            if word == "help" and diagnostic.fix is not None:
                yield from self._preview(diagnostic.fix, gutter)

    def _file(self, part: _Part, labels: Sequence[Label], gutter: int, *, is_first: bool) -> Iterator[str]:
        """The source of one file or cell with its labels, below an arrow to its first place."""
        frame = self.paint.frame
        span = labels[0].span
        arrow = "-->" if is_first else ":::"
        if not is_first:
            yield frame(f"{'':>{gutter}} |")
        yield f"{'':>{gutter}}{frame(arrow)} {self.paths.of(*part)}:{span.line}:{span.column}"
        lines = self.sources.lines(part)
        if lines is not None:
            yield frame(f"{'':>{gutter}} |")
            yield from snippet(lines, labels, gutter=gutter, frame=frame, columns=self.columns)

    def _groups(self, diagnostic: Diagnostic) -> list[tuple[_Part, list[Label]]]:
        """The labels of each file or cell that can be shown, the primary first and in its own."""
        primary = next((n.message for n in diagnostic.notes if _is_at_primary(n, diagnostic)), "")
        paint = partial(self.paint.severity, severity=diagnostic.severity)
        first = (diagnostic.path, diagnostic.cell)
        groups: dict[_Part, list[Label]] = {first: [Label(diagnostic.span, escape(primary), "^", paint)]}
        for note in diagnostic.notes:
            if note.path is not None and note.span is not None and not self._is_remark(note, diagnostic):
                label = Label(note.span, escape(note.message), "-", self.paint.evidence)
                groups.setdefault((note.path, note.cell), []).append(label)
        return list(groups.items())

    def _is_remark(self, note: Note, diagnostic: Diagnostic) -> bool:
        """Whether a note stands below the source: it has no place of its own, or its file is gone."""
        is_placeless = note.path is None or note.span is None or _is_at_primary(note, diagnostic)
        return is_placeless or self.sources.lines((note.path or "", note.cell)) is None

    def _remarks(self, diagnostic: Diagnostic) -> Iterator[tuple[str, str]]:
        """What stands below the source, each with the word that says what it is."""
        beside_primary = next((n for n in diagnostic.notes if _is_at_primary(n, diagnostic)), None)
        for note in diagnostic.notes:
            if self._is_remark(note, diagnostic) and note is not beside_primary:
                yield "note", f"{escape(note.message)}{self._where(note, diagnostic)}"
        if diagnostic.fix is not None:
            yield "help", _help(diagnostic.fix)
        if diagnostic.verdict is not None:
            yield "verdict", f"{diagnostic.verdict} by an earlier run"
        if diagnostic.confidence in _CONFIDENCE:
            yield "confidence", _CONFIDENCE[diagnostic.confidence]

    def _preview(self, fix: Fix, gutter: int) -> Iterator[str]:
        """The lines that a fix takes away and puts in, file by file."""
        parts = dict.fromkeys((edit.path, edit.cell) for edit in fix.edits)
        for part in parts:
            lines = self.sources.lines(part)
            shown, left = preview([edit for edit in fix.edits if (edit.path, edit.cell) == part], lines or ())
            for line in shown:
                paint = self.paint.good if line.sign == "+" else self.paint.removed
                number = self.paint.frame(f"{line.number:>{gutter}}")
                yield f"{number} {paint(f'{line.sign} {escape(line.text.expandtabs(4))}'.rstrip())}"
            if left:
                yield f"{'':>{gutter}} {self.paint.faint('... ' + plural(left, 'more line'))}"

    def _where(self, note: Note, diagnostic: Diagnostic) -> str:
        if note.path is None or note.span is None or _is_at_primary(note, diagnostic):
            return ""
        return f" ({self.paths.of(note.path, note.cell)}:{note.span.line}:{note.span.column})"

    def _remark(self, word: str, text: str, gutter: int) -> Iterator[str]:
        indent = gutter + len(f" = {word}: ")
        first, *rest = textwrap.wrap(text, max(self.columns - indent, 30)) or [""]
        yield f"{'':>{gutter}} {self.paint.frame('=')} {self.paint.strong(f'{word}:')} {first}"
        yield from (f"{'':>{indent}}{line}" for line in rest)


def _help(fix: Fix) -> str:
    reason = f": {fix.reason}" if fix.reason else ""
    return escape(f"{fix.title} ({fix.applicability.value} fix{reason})")


def _is_at_primary(note: Note, diagnostic: Diagnostic) -> bool:
    return (note.path, note.cell, note.span) == (diagnostic.path, diagnostic.cell, diagnostic.span)
