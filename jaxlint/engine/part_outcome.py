"""What the check of one part of a project came to, and one result for those of all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from jaxlint.diagnostics import Diagnostic
from jaxlint.engine.cache import plain_diagnostic, read_diagnostic
from jaxlint.engine.parts import Part
from jaxlint.engine.reporter import LeftOut, left_out_warnings, with_distinct_fingerprints
from jaxlint.engine.result import Result, Statistics
from jaxlint.engine.unknowns import by_kind, candidates

if TYPE_CHECKING:
    from jaxlint.analysis.domain.findings import AnalysisStatistics


@dataclass(slots=True, eq=False)
class PartOutcome:
    """The diagnostics of one part, how many comments silence, how much was decided, and what is told beside.

    `readings` are its files by what read them, `asked` the modules that were looked for, with where they are.
    """

    diagnostics: list[Diagnostic]
    suppressed: int
    statistics: AnalysisStatistics
    warnings: list[str]
    left_out: LeftOut
    readings: Counter[str]
    asked: Mapping[str, str | None]

    def rests_on(self, paths: Collection[str], part: Iterable[str]) -> bool:
        """Whether what is in one of some files may have changed it; `part` are its own."""
        return any(path in paths for path in (*part, *self.asked.values()))


class Piece(NamedTuple):
    """A part of the project at `root` with its outcome; `is_rest`: the files that are not analysed. They sort."""

    root: str
    is_rest: bool
    files: Part
    outcome: PartOutcome


def merged(
    outcomes: Sequence[PartOutcome], files_checked: int, imported: Collection[str], warnings: Iterable[str]
) -> Result:
    """One result for all parts; `imported` are the libraries that their files import."""
    from jaxlint.analysis.domain.findings import AnalysisStatistics

    statistics = AnalysisStatistics()
    diagnostics: list[Diagnostic] = []
    told = list(warnings)
    suppressed = 0
    readings: Counter[str] = Counter()
    for outcome in outcomes:
        diagnostics += outcome.diagnostics
        told += outcome.warnings
        suppressed += outcome.suppressed
        readings.update(outcome.readings)
        statistics.merge(outcome.statistics)
    told += left_out_warnings([outcome.left_out for outcome in outcomes])
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
            dict(sorted(readings.items())),
            dict(statistics.ended.most_common()),
        ),
        warnings=tuple(told),
    )


# --- as plain data


def plain_outcome(outcome: PartOutcome) -> dict[str, Any]:
    """An outcome as plain data, less what read its files."""
    statistics = outcome.statistics
    return {
        "diagnostics": [plain_diagnostic(each) for each in outcome.diagnostics],
        "suppressed": outcome.suppressed,
        "statistics": [statistics.decided, statistics.unknown_callees, statistics.limits, statistics.ended],
        "warnings": outcome.warnings,
        "left_out": list(outcome.left_out),
        "asked": outcome.asked,
    }


def read_outcome(
    stored: Mapping[str, Any], asked: Mapping[str, str | None], readings: Mapping[str, int]
) -> PartOutcome:
    """An outcome that was plain data."""
    from jaxlint.analysis.domain.findings import AnalysisStatistics

    return PartOutcome(
        [read_diagnostic(each) for each in stored["diagnostics"]],
        int(stored["suppressed"]),
        AnalysisStatistics(*(Counter(dict(counts)) for counts in stored["statistics"])),
        [str(warning) for warning in stored["warnings"]],
        LeftOut(*stored["left_out"]),
        Counter(readings),
        asked,
    )
