"""What the check of one project came to, and one result for those of all."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxlint.diagnostics import Diagnostic
from jaxlint.engine.reporter import LeftOut, left_out_warnings, with_distinct_fingerprints
from jaxlint.engine.result import Result, Statistics
from jaxlint.engine.unknowns import by_kind, candidates

if TYPE_CHECKING:
    from jaxlint.analysis.domain.findings import AnalysisStatistics


@dataclass(slots=True, eq=False)
class ProjectOutcome:
    """The diagnostics of one project, how many comments silence, how much was decided, and what is told beside."""

    diagnostics: list[Diagnostic]
    suppressed: int
    statistics: AnalysisStatistics
    warnings: list[str]
    left_out: LeftOut


def merged(outcomes: Sequence[ProjectOutcome], files_checked: int, imported: Collection[str]) -> Result:
    """One result for all projects; `imported` are the libraries that their files import."""
    from jaxlint.analysis.domain.findings import AnalysisStatistics

    statistics = AnalysisStatistics()
    diagnostics: list[Diagnostic] = []
    warnings: list[str] = []
    suppressed = 0
    for outcome in outcomes:
        diagnostics += outcome.diagnostics
        warnings += outcome.warnings
        suppressed += outcome.suppressed
        statistics.merge(outcome.statistics)
    warnings += left_out_warnings([outcome.left_out for outcome in outcomes])
    return Result(
        diagnostics=tuple(with_distinct_fingerprints(sorted(diagnostics, key=lambda d: d.sort_key))),
        files_checked=files_checked,
        suppressed=suppressed,
        statistics=Statistics(
            dict(statistics.decided.most_common()),
            dict(statistics.unknown_callees.most_common(20)),
            dict(statistics.limits.most_common()),
            by_kind(statistics.unknown_callees),
            candidates(statistics.unknown_callees, imported),
        ),
        warnings=tuple(warnings),
    )
