"""What a run or a probe showed and the check did not report: as lines for a person, and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from jaxlint.report.paint import Paint
from jaxlint.report.paths import PathPrinter
from jaxlint.text import escape
from jaxlint.verify.model import ObservedFinding


def observed_lines(findings: Sequence[ObservedFinding], paths: PathPrinter, paint: Paint) -> Iterator[str]:
    """The findings under their heading; nothing where there are none."""
    if not findings:
        return
    yield paint.strong("Not seen by check:")
    for finding in findings:
        column = "" if finding.column is None else f":{finding.column}"
        times = f" ({finding.count} times)" if finding.count > 1 else ""
        place = f"{paths(finding.path)}:{finding.line}{column}"
        yield f"  {paint.strong(place)}: {escape(finding.rule)}: {escape(finding.message)}{times}"
        yield from (f"    {paint.evidence(escape(line))}" for line in finding.evidence)


def observed_json(finding: ObservedFinding, paths: PathPrinter) -> dict[str, Any]:
    """A finding as it stands among those of the check, from which its `source` tells it."""
    return {
        "rule": finding.rule,
        "path": paths.relative(finding.path),
        "line": finding.line,
        "column": finding.column,
        "fingerprint": None,
        "message": finding.message,
        "source": finding.source,
        "verdict": "confirmed",
        "evidence": "\n".join(finding.evidence),
        "count": finding.count,
    }
