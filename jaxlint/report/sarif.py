"""The `sarif` format: SARIF 2.1.0, with what GitHub code scanning reads and within the sizes that it takes.

The standard: https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html. What GitHub reads of it, and its limits:
https://docs.github.com/code-security/code-scanning/integrating-with-code-scanning/sarif-support-for-code-scanning.

`partialFingerprints` carries our own fingerprint only: GitHub's upload adds its hash of the line, and warns at each
result for which another one is there already.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final
from urllib.parse import quote

from jaxlint.diagnostics import Diagnostic, Edit, Fix, Note, Severity, Span
from jaxlint.engine.result import Result
from jaxlint.report.fix_edits import applicable
from jaxlint.report.json_text import json_text
from jaxlint.report.paths import PathPrinter
from jaxlint.report.sarif_rules import LEVELS, descriptors
from jaxlint.text import escape
from jaxlint.version import VERSION

_SCHEMA: Final = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_ROOT: Final = "%SRCROOT%"
#: GitHub refuses a run with more results, and one whose file is larger when it is compressed.
MAX_RESULTS: Final = 25_000
MAX_COMPRESSED: Final = 10 * 1024 * 1024
#: Of more results, it shows this many.
SHOWN_RESULTS: Final = 5_000
#: Locations of one result that it shows.
_MAX_LOCATIONS: Final = 100
#: In a SARIF message this would be a link.
_LINK: Final = re.compile(r"(?<=\])\(")
_ORDER: Final = {Severity.ERROR: 0, Severity.WARNING: 1, Severity.INFO: 2}


def sarif_lines(result: Result, paths: PathPrinter, warn: Callable[[str], None]) -> Iterator[str]:
    """One SARIF log in ASCII. `paths` prints relative to the repository's root; `warn` is told of limits reached."""
    kept = _most_severe(result.diagnostics)
    rules = descriptors(kept)
    indices = {rule["id"]: index for index, rule in enumerate(rules)}
    run: dict[str, Any] = {
        "tool": {"driver": {"name": "jaxlint", "semanticVersion": VERSION, "rules": rules}},
        "invocations": [{"executionSuccessful": True}],
        "originalUriBaseIds": {_ROOT: {"description": {"text": "The root of the repository."}}},
        "columnKind": "unicodeCodePoints",
        "results": [_result(diagnostic, indices, paths) for diagnostic in kept],
        "properties": {"filesChecked": result.files_checked, "suppressed": result.suppressed},
    }
    if len(kept) < len(result.diagnostics):
        run["properties"]["resultsLeftOut"] = len(result.diagnostics) - len(kept)
    text = json_text({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, indent=1)
    for warning in _warnings(len(result.diagnostics), text):
        warn(warning)
    yield text


def _most_severe(diagnostics: Sequence[Diagnostic]) -> list[Diagnostic]:
    """As many diagnostics as one run may hold, the most severe ones, in order of place."""
    if len(diagnostics) <= MAX_RESULTS:
        return list(diagnostics)
    kept = sorted(diagnostics, key=lambda d: (_ORDER[d.severity], d.sort_key))[:MAX_RESULTS]
    return sorted(kept, key=lambda d: d.sort_key)


def _warnings(found: int, text: str) -> Iterator[str]:
    if found > MAX_RESULTS:
        yield f"sarif: {found - MAX_RESULTS} of {found} findings left out: GitHub takes {MAX_RESULTS} in one run"
    elif found > SHOWN_RESULTS:
        yield f"sarif: GitHub shows {SHOWN_RESULTS} of the {found} findings, the most severe ones"
    if len(text) > MAX_COMPRESSED:
        import zlib

        if len(zlib.compress(text.encode("ascii"))) > MAX_COMPRESSED:
            yield f"sarif: larger than the {MAX_COMPRESSED // 1024**2} MiB that GitHub takes of a compressed file"


def _result(diagnostic: Diagnostic, indices: Mapping[str, int], paths: PathPrinter) -> dict[str, Any]:
    location = {"physicalLocation": _physical(diagnostic.path, diagnostic.span, paths)}
    steps = [step for note in diagnostic.notes if (step := _step(note, diagnostic, paths))][:_MAX_LOCATIONS]
    entry: dict[str, Any] = {
        "ruleId": diagnostic.code,
        "ruleIndex": indices[diagnostic.code],
        "level": LEVELS[diagnostic.severity],
        "message": {"text": _text("\n".join((diagnostic.message, *_asides(diagnostic))))},
        "locations": [location],
        "partialFingerprints": _fingerprints(diagnostic),
        "properties": {
            "confidence": diagnostic.confidence.value,
            "cause": diagnostic.cause or diagnostic.fingerprint,
        },
    }
    if steps:
        last = {**location, "message": {"text": _text(diagnostic.message)}}
        flow = [{"location": step} for step in (*steps, last)]
        entry["relatedLocations"] = [{"id": number, **step} for number, step in enumerate(steps, start=1)]
        entry["codeFlows"] = [{"threadFlows": [{"locations": flow}]}]
    fix = applicable(diagnostic.fix)
    return {**entry, "fixes": [_fix(fix, paths)]} if fix else entry


def _fingerprints(diagnostic: Diagnostic) -> dict[str, str]:
    """By version; the former one lets a consumer follow results from before."""
    former = {"jaxlint/v1": diagnostic.former} if diagnostic.former else {}
    return {**former, "jaxlint/v2": diagnostic.fingerprint}


def _asides(diagnostic: Diagnostic) -> Iterator[str]:
    """The notes that have no place of their own: they follow the message."""
    for note in diagnostic.notes:
        if note.path is None or note.span is None or (note.path, note.span) == (diagnostic.path, diagnostic.span):
            yield note.message


def _step(note: Note, diagnostic: Diagnostic, paths: PathPrinter) -> dict[str, Any] | None:
    if note.path is None or note.span is None or (note.path, note.span) == (diagnostic.path, diagnostic.span):
        return None
    return {"physicalLocation": _physical(note.path, note.span, paths), "message": {"text": _text(note.message)}}


def _physical(path: str, span: Span, paths: PathPrinter) -> dict[str, Any]:
    return {"artifactLocation": _artifact(path, paths), "region": _region(span)}


def _artifact(path: str, paths: PathPrinter) -> dict[str, str]:
    relative = paths.relative(path)
    if relative.startswith("/"):
        return {"uri": f"file://{_quoted(relative)}"}
    return {"uri": _quoted(relative), "uriBaseId": _ROOT}


def _quoted(path: str) -> str:
    try:
        return quote(path.encode("utf-8", "surrogateescape"))
    except UnicodeEncodeError:
        return quote(path.encode("utf-8", "surrogatepass"))


def _region(span: Span) -> dict[str, int]:
    return {
        "startLine": span.line,
        "startColumn": span.column,
        "endLine": span.end_line,
        "endColumn": span.end_column,
    }


def _fix(fix: Fix, paths: PathPrinter) -> dict[str, Any]:
    by_path: dict[str, list[Edit]] = {}
    for edit in sorted(fix.edits, key=lambda edit: (edit.path, edit.span)):
        by_path.setdefault(edit.path, []).append(edit)
    changes = [
        {"artifactLocation": _artifact(path, paths), "replacements": [_replacement(edit) for edit in edits]}
        for path, edits in by_path.items()
    ]
    title = f"{fix.title} ({fix.applicability.value})"
    return {"description": {"text": _text(title)}, "artifactChanges": changes}


def _replacement(edit: Edit) -> dict[str, Any]:
    return {"deletedRegion": _region(edit.span), "insertedContent": {"text": edit.text}}


def _text(text: str) -> str:
    """A message's text: each line escaped, and without what a reader would take for a link."""
    return _LINK.sub(" (", "\n".join(escape(line) for line in text.split("\n")))
