"""What stands below the diagnostics: one line that sums up, and the statistics that were asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from jaxlint.diagnostics import Severity
from jaxlint.report.paint import Paint
from jaxlint.result import Result
from jaxlint.text import escape, plural

_SEVERITIES = (Severity.ERROR, Severity.WARNING, Severity.INFO)


def summary_line(result: Result, paint: Paint) -> str:
    """`Found 3 errors and 1 warning in 12 files.`, or that all is well."""
    files = plural(result.files_checked, "file")
    hidden = ((result.suppressed, "suppressed"), (result.refuted, "refuted"))
    left_out = ", ".join(f"{count} {why}" for count, why in hidden if count)
    silenced = f" ({left_out})" if left_out else ""
    if not result.diagnostics:
        return paint.good(f"No problems found in {files}{silenced}.")
    counts = {s: sum(d.severity is s for d in result.diagnostics) for s in _SEVERITIES}
    names = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "remark"}
    parts = [paint.severity(plural(count, names[s]), s) for s, count in counts.items() if count]
    found = " and ".join(filter(None, (", ".join(parts[:-1]), parts[-1])))
    fixable = f" {result.fixable} can be fixed." if result.fixable else ""
    return f"Found {found} in {files}{silenced}.{fixable}"


def statistics_lines(result: Result, paint: Paint) -> Iterator[str]:
    """Counts by rule, then how much of the code in question the analysis could decide, and what it could not see."""
    codes = {d.rule: d.code for d in result.diagnostics}
    for rule, count in result.by_rule.items():
        yield f"{count:>7}  {codes[rule]}  {rule}"
    if result.by_rule:
        yield ""
    yield from _decided_lines(result, paint)
    yield from _counts_lines("Calls behind most of the unknown:", result.statistics.unknown_callees)
    yield from _counts_lines("Budgets that ran out:", result.statistics.limits)


def _decided_lines(result: Result, paint: Paint) -> Iterator[str]:
    decided = result.statistics.decided
    total = sum(decided.values())
    if not total:
        yield "No operation in traced code needed a decision."
        return
    yield paint.strong(f"{plural(total, 'operation')} decided:")
    for outcome, count in sorted(decided.items(), key=lambda item: (-item[1], item[0])):
        yield f"{count:>7}  {100 * count / total:5.1f} %  {outcome}"


def _counts_lines(title: str, counts: Mapping[str, int]) -> Iterator[str]:
    if not counts:
        return
    yield ""
    yield title
    for name, count in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
        yield f"{count:>7}  {escape(name)}"
