"""What stands below the diagnostics: one line that sums up, and the statistics that were asked for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from jaxlint.diagnostics import Applicability, Severity
from jaxlint.engine.result import Result
from jaxlint.report.paint import Paint
from jaxlint.text import escape, plural

_SEVERITIES = (Severity.ERROR, Severity.WARNING, Severity.INFO)


def summary_line(result: Result, paint: Paint) -> str:
    """`Fixed 2 problems. Found 3 errors and 1 warning in 12 files. 1 can be fixed with --fix.`, or that all is well."""
    files = plural(result.files_checked, "file")
    left_out = [
        (result.suppressed, "suppressed"),
        (result.baselined, "in the baseline"),
        (result.unchanged, "on unchanged lines"),
        (result.refuted, "refuted"),
    ]
    silenced = ", ".join(f"{count} {what}" for count, what in left_out if count)
    silenced = f" ({silenced})" if silenced else ""
    fixed = f"Fixed {plural(result.fixed, 'problem')}. " if result.fixed else ""
    if not result.diagnostics:
        return paint.good(f"{fixed}No problems {'left' if fixed else 'found'} in {files}{silenced}.")
    found_by = {s: sum(d.severity is s for d in result.diagnostics) for s in _SEVERITIES}
    names = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "remark"}
    parts = [paint.severity(plural(count, names[s]), s) for s, count in found_by.items() if count]
    found = " and ".join(filter(None, (", ".join(parts[:-1]), parts[-1])))
    causes = f" ({plural(result.causes, 'cause')})" if result.causes < len(result.diagnostics) else ""
    return f"{fixed}Found {found}{causes} in {files}{silenced}.{_fixable(result)}"


def _fixable(result: Result) -> str:
    """What `--fix` could do about it."""
    safe, unsafe = result.with_fix(Applicability.SAFE), result.with_fix(Applicability.UNSAFE)
    if not safe:
        return f" {unsafe} can be fixed with --fix --unsafe-fixes." if unsafe else ""
    more = f", {unsafe} more with --unsafe-fixes" if unsafe else ""
    return f" {safe} can be fixed with --fix{more}."


def fixes_lines(files: Iterable[tuple[str, Mapping[str, int]]]) -> Iterator[str]:
    """What was fixed, by path as it is to be shown."""
    for path, fixes in files:
        yield f"Fixed in {path}:"
        for rule, count in sorted(fixes.items()):
            yield f"{count:>7}  {rule}"


def statistics_lines(result: Result, paint: Paint) -> Iterator[str]:
    """Counts by rule, then how much of the code in question the analysis could decide, and what it could not see."""
    codes = {d.rule: d.code for d in result.diagnostics}
    for rule, count in result.by_rule.items():
        yield f"{count:>7}  {codes[rule]}  {rule}"
    if result.by_rule:
        yield ""
    yield from _decided_lines(result, paint)
    yield from _share_lines("Why the rest is unknown:", result.statistics.unknown_kinds)
    yield from _counts_lines(
        "Where an entry of `like` would help most (`jaxlint config like`):", result.statistics.like_candidates
    )
    yield from _counts_lines("Calls behind most of the unknown:", result.statistics.unknown_callees)
    yield from _counts_lines("Budgets that ran out:", result.statistics.limits)
    yield from _counts_lines("Code behind these surely raises before it is reached:", result.statistics.ended)
    yield from _counts_lines("Files by what read them:", result.statistics.readings)


def _decided_lines(result: Result, paint: Paint) -> Iterator[str]:
    decided = result.statistics.decided
    total = sum(decided.values())
    if not total:
        yield "No operation in traced code needed a decision."
        return
    yield paint.strong(f"{plural(total, 'operation')} decided:")
    for outcome, count in sorted(decided.items(), key=lambda item: (-item[1], item[0])):
        yield f"{count:>7}  {100 * count / total:5.1f} %  {outcome}"


def _share_lines(title: str, counts: Mapping[str, int]) -> Iterator[str]:
    """Counts with their shares of the whole."""
    if counts:
        yield ""
        yield title
    for name, count in counts.items():
        yield f"{count:>7}  {100 * count / sum(counts.values()):5.1f} %  {name}"


def _counts_lines(title: str, counts: Mapping[str, int]) -> Iterator[str]:
    if not counts:
        return
    yield ""
    yield title
    for name, count in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
        yield f"{count:>7}  {escape(name)}"
