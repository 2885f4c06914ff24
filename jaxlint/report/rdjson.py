"""The `rdjson` format: Reviewdog's diagnostics, with columns in bytes of UTF-8 as it counts them.

Its fields are those of https://github.com/reviewdog/reviewdog/tree/master/proto/rdf.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from jaxlint.diagnostics import Diagnostic, Severity, Span
from jaxlint.engine.result import Result
from jaxlint.report.fix_edits import Texts, applicable, merged
from jaxlint.report.json_text import json_text
from jaxlint.report.paths import PathPrinter
from jaxlint.text import escape

_SEVERITIES: Final = {Severity.ERROR: "ERROR", Severity.WARNING: "WARNING", Severity.INFO: "INFO"}


def rdjson_lines(result: Result, paths: PathPrinter, read_text: Callable[[str], str | None]) -> Iterator[str]:
    """One JSON document in ASCII. `paths` prints relative to the working directory, as Reviewdog reads them."""
    writer = _Writer(paths, Texts(read_text))
    document = {"source": {"name": "jaxlint"}, "diagnostics": [writer.diagnostic(d) for d in result.diagnostics]}
    yield json_text(document)


@dataclass(frozen=True, slots=True)
class _Writer:
    paths: PathPrinter
    texts: Texts

    def diagnostic(self, diagnostic: Diagnostic) -> dict[str, Any]:
        """One diagnostic; what has no value is left out, since the format knows no null."""
        entry: dict[str, Any] = {
            "message": escape(diagnostic.message),
            "location": self._location(diagnostic.path, diagnostic.span),
            "severity": _SEVERITIES[diagnostic.severity],
            "code": {"value": f"{diagnostic.code} {diagnostic.rule}"},
        }
        if diagnostic.url:
            entry["code"]["url"] = diagnostic.url
        related = [
            {"message": escape(note.message), "location": self._location(note.path, note.span)}
            for note in diagnostic.notes
            if note.path is not None and note.span is not None
        ]
        if related:
            entry["related_locations"] = related
        suggestion = self._suggestion(diagnostic)
        return {**entry, "suggestions": [suggestion]} if suggestion else entry

    def _suggestion(self, diagnostic: Diagnostic) -> dict[str, Any] | None:
        """The fix as one replacement: Reviewdog offers each suggestion by itself, half a fix would be wrong."""
        fix = applicable(diagnostic.fix)
        edit = None if fix is None else merged(fix, self.texts)
        if edit is None or edit.path != diagnostic.path:
            return None
        return {"range": self._range(edit.path, edit.span), "text": edit.text}

    def _location(self, path: str, span: Span) -> dict[str, Any]:
        return {"path": self.paths(path), "range": self._range(path, span)}

    def _range(self, path: str, span: Span) -> dict[str, dict[str, int]]:
        column = self.texts.utf8_column
        return {
            "start": {"line": span.line, "column": column(path, span.line, span.column)},
            "end": {"line": span.end_line, "column": column(path, span.end_line, span.end_column)},
        }
