"""The `json` and `json-lines` formats, schema version 1, as described by `schema_v1.json` beside this file."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from jaxlint.diagnostics import Diagnostic, Edit, Fix, Note, Span
from jaxlint.engine.result import Result
from jaxlint.report.json_text import json_text
from jaxlint.report.paths import PathPrinter

SCHEMA_VERSION = 1


def json_lines(result: Result, paths: PathPrinter, *, statistics: bool) -> Iterator[str]:
    """The whole report as one JSON document in ASCII, with strings as they are: escaping is JSON's own."""
    summary: dict[str, Any] = {
        "files_checked": result.files_checked,
        "diagnostics": len(result.diagnostics),
        "causes": result.causes,
        "fixable": result.fixable,
        "fixed": result.fixed,
        "suppressed": result.suppressed,
        "baselined": result.baselined,
        "by_rule": result.by_rule,
    }
    if result.unchanged:
        summary["unchanged"] = result.unchanged
    if statistics:
        summary["statistics"] = asdict(result.statistics)
    document = {
        "schema_version": SCHEMA_VERSION,
        "diagnostics": [_diagnostic(d, paths) for d in result.diagnostics],
        "summary": summary,
    }
    yield json_text(document)


def json_stream(result: Result, paths: PathPrinter) -> Iterator[str]:
    """Each diagnostic as in the `json` format, one to a line; no line where nothing is found."""
    for diagnostic in result.diagnostics:
        yield json_text(_diagnostic(diagnostic, paths), indent=None)


def _diagnostic(diagnostic: Diagnostic, paths: PathPrinter) -> dict[str, Any]:
    return {
        "path": paths.relative(diagnostic.path),
        "cell": diagnostic.cell,
        **_span(diagnostic.span),
        "rule": diagnostic.rule,
        "code": diagnostic.code,
        "family": diagnostic.family,
        "category": diagnostic.category.value,
        "severity": diagnostic.severity.value,
        "confidence": diagnostic.confidence.value,
        "message": diagnostic.message,
        "notes": [_note(note, paths) for note in diagnostic.notes],
        "fix": None if diagnostic.fix is None else _fix(diagnostic.fix, paths),
        "url": diagnostic.url,
        "fingerprint": diagnostic.fingerprint,
        "cause": diagnostic.cause or diagnostic.fingerprint,
        "verdict": diagnostic.verdict,
    }


def _span(span: Span | None) -> dict[str, int | None]:
    return {
        "line": None if span is None else span.line,
        "column": None if span is None else span.column,
        "end_line": None if span is None else span.end_line,
        "end_column": None if span is None else span.end_column,
    }


def _note(note: Note, paths: PathPrinter) -> dict[str, Any]:
    path = None if note.path is None else paths.relative(note.path)
    return {"path": path, "cell": note.cell, **_span(note.span), "message": note.message}


def _fix(fix: Fix, paths: PathPrinter) -> dict[str, Any]:
    edits = sorted(fix.edits, key=lambda edit: (edit.path, edit.cell or 0, edit.span))
    return {
        "title": fix.title,
        "applicability": fix.applicability.value,
        "reason": fix.reason or None,
        "edits": [_edit(edit, paths) for edit in edits],
    }


def _edit(edit: Edit, paths: PathPrinter) -> dict[str, Any]:
    return {"path": paths.relative(edit.path), "cell": edit.cell, **_span(edit.span), "text": edit.text}
