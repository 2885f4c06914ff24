"""A diagnostic as plain lines of text, for formats that show a message as it is; control characters are escaped."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.diagnostics import Confidence, Diagnostic, Note
from jaxlint.report.paths import PathPrinter
from jaxlint.text import escape


def detail_lines(diagnostic: Diagnostic, paths: PathPrinter) -> Iterator[str]:
    """What stands behind the message: each step of the evidence with its place, the fix, and how sure it is."""
    for note in diagnostic.notes:
        yield f"{note_place(note, paths)}{escape(note.message)}"
    if diagnostic.fix is not None:
        yield f"fix ({diagnostic.fix.applicability.value}): {escape(diagnostic.fix.title)}"
    if diagnostic.confidence is not Confidence.CERTAIN:
        yield f"confidence: {diagnostic.confidence.value}"


def note_place(note: Note, paths: PathPrinter) -> str:
    """`path:line:column: ` of a note, or nothing where it has no place."""
    if note.path is None or note.span is None:
        return ""
    return f"{paths(note.path)}:{note.span.line}:{note.span.column}: "
