"""From the linter's words to the protocol's: diagnostics with their evidence, pages and tags."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from lsprotocol import types

from jaxlint.diagnostics import Category, Diagnostic, Severity, Span
from jaxlint.lsp.capabilities import NAME
from jaxlint.lsp.open_documents import uri_of
from jaxlint.lsp.texts import Text
from jaxlint.report.page_address import page_address
from jaxlint.text import escape

_SEVERITIES: Final = {
    Severity.ERROR: types.DiagnosticSeverity.Error,
    Severity.WARNING: types.DiagnosticSeverity.Warning,
    Severity.INFO: types.DiagnosticSeverity.Information,
}
#: Rules whose findings are code that does nothing.
_UNNECESSARY: Final = frozenset({"unused-suppression", "discarded-at-update", "discarded-key-update"})

#: Gives the text of a file, for columns in the client's units; None where it cannot be read.
ReadText = Callable[[str], Text | None]


def diagnostic(
    found: Diagnostic, where: types.Range, read_text: ReadText, *, is_related_known: bool
) -> types.Diagnostic:
    """A diagnostic as the client gets it, at a range of its document."""
    page = page_address(found)
    places = [(note.message, note.path, note.span) for note in found.notes if note.path and note.span]
    shown = found.message if is_related_known else _with_notes(found)
    return types.Diagnostic(
        range=where,
        message=escape(shown) if "\n" not in shown else shown,
        severity=_SEVERITIES[found.severity],
        code=found.code,
        code_description=types.CodeDescription(page) if page else None,
        source=NAME,
        tags=_tags(found),
        related_information=[_related(*place, read_text) for place in places] if is_related_known else None,
        data={"rule": found.rule, "fingerprint": found.fingerprint},
    )


def _with_notes(found: Diagnostic) -> str:
    """The message with the evidence in it, for clients that show no related places."""
    return "\n".join([escape(found.message), *(escape(note.message) for note in found.notes)])


def _tags(found: Diagnostic) -> list[types.DiagnosticTag] | None:
    if found.rule in _UNNECESSARY:
        return [types.DiagnosticTag.Unnecessary]
    return [types.DiagnosticTag.Deprecated] if found.category is Category.MIGRATION else None


def _related(message: str, path: str, span: Span, read_text: ReadText) -> types.DiagnosticRelatedInformation:
    text = read_text(path)
    place = _plain_range(span) if text is None else text.range(span)
    return types.DiagnosticRelatedInformation(types.Location(uri_of(path), place), escape(message))


def _plain_range(span: Span) -> types.Range:
    return types.Range(
        types.Position(span.line - 1, span.column - 1), types.Position(span.end_line - 1, span.end_column - 1)
    )
