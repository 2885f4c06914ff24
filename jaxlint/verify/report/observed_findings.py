"""What a run or a probe showed and the check did not report: as lines for a person, and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from jaxlint.report.paint import Paint
from jaxlint.report.paths import PathPrinter
from jaxlint.text import escape
from jaxlint.verify.model import ObservedFinding
from jaxlint.verify.notebooks import cell_of
from jaxlint.verify.report.figures import line_text


def observed_lines(findings: Sequence[ObservedFinding], paths: PathPrinter, paint: Paint) -> Iterator[str]:
    """The findings under their heading; nothing where there are none."""
    if not findings:
        return
    yield paint.strong("Not seen by check:")
    for finding in findings:
        times = f" ({finding.count} times)" if finding.count > 1 else ""
        place = escape(line_text(finding.path, finding.line, paths, finding.column))
        yield f"  {paint.strong(place)}: {escape(finding.rule)}: {escape(finding.message)}{times}"
        yield from (f"    {paint.evidence(escape(line))}" for line in finding.evidence)


def place_json(path: str, line: int, paths: PathPrinter) -> dict[str, Any]:
    """A line of a file, or of a cell of a notebook, as JSON."""
    cell, shown = cell_of(path, line)
    return {"path": paths.relative(path), "cell": cell, "line": shown}


def observed_json(finding: ObservedFinding, paths: PathPrinter) -> dict[str, Any]:
    """A finding as it stands among those of the check, from which its `source` tells it."""
    return {
        "rule": finding.rule,
        **place_json(finding.path, finding.line, paths),
        "column": finding.column,
        "fingerprint": None,
        "message": finding.message,
        "source": finding.source,
        "verdict": "confirmed",
        "evidence": "\n".join(finding.evidence),
        "count": finding.count,
    }
