"""Edits of a fix as formats need them: in UTF-8 columns, and several edits of one file as one replacement."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from jaxlint.diagnostics import Applicability, Edit, Fix, Span

#: What Python calls a line end; a form feed or U+2028 is none.
_LINE: Final = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+\Z")


@dataclass(frozen=True, slots=True)
class Texts:
    """The lines of files with their ends, read once each; `read_text` gives None for a file that is gone."""

    read_text: Callable[[str], str | None]
    known: dict[str, list[str] | None] = field(default_factory=dict)

    def lines(self, path: str) -> list[str] | None:
        """The lines of a file; None where it can no longer be read."""
        if path not in self.known:
            text = self.read_text(path)
            self.known[path] = None if text is None else _LINE.findall(text)
        return self.known[path]

    def utf8_column(self, path: str, line: int, column: int) -> int:
        """The column in bytes of UTF-8, from 1, of a column in code points; the same where the line is not there."""
        lines = self.lines(path)
        if lines is None or line > len(lines):
            return column
        before = lines[line - 1][: column - 1]
        return column + len(before.encode("utf-8", "surrogatepass")) - len(before)

    def between(self, path: str, span: Span) -> str | None:
        """The text of a span; None where the file does not reach that far."""
        lines = self.lines(path)
        if lines is None or span.end_line > len(lines) + (span.end_column == 1):
            return None
        if span.line == span.end_line:
            return lines[span.line - 1][span.column - 1 : span.end_column - 1] if span.line <= len(lines) else ""
        last = lines[span.end_line - 1][: span.end_column - 1] if span.end_line <= len(lines) else ""
        return "".join((lines[span.line - 1][span.column - 1 :], *lines[span.line : span.end_line - 1], last))


def applicable(fix: Fix | None) -> Fix | None:
    """The fix, where a program may apply it and its text can be written as UTF-8."""
    if fix is None or fix.applicability is Applicability.DISPLAY_ONLY or not fix.edits:
        return None
    return fix if all(_is_encodable(edit.text) for edit in fix.edits) else None


def merged(fix: Fix, texts: Texts) -> Edit | None:
    """All edits of a fix as one; None where they lie in several files, overlap, or their text is gone."""
    edits = sorted(fix.edits, key=lambda edit: edit.span)
    first = edits[0]
    pieces = [first.text]
    for before, edit in zip(edits, edits[1:]):  # noqa: B905, RUF007 - neighbours
        gap = Span(before.span.end_line, before.span.end_column, edit.span.line, edit.span.column)
        if edit.path != first.path or (gap.line, gap.column) > (gap.end_line, gap.end_column):
            return None
        kept = texts.between(edit.path, gap)
        if kept is None:
            return None
        pieces += (kept, edit.text)
    end = edits[-1].span
    return Edit(first.path, Span(first.span.line, first.span.column, end.end_line, end.end_column), "".join(pieces))


def _is_encodable(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
