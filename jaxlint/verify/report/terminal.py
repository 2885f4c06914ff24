"""The report of `verify` for a terminal: what cost most comes first, each reason as one line from before to now."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence

from jaxlint.diagnostics import Severity
from jaxlint.report.paint import Paint
from jaxlint.report.paths import PathPrinter
from jaxlint.text import escape, plural
from jaxlint.verify.model import (
    BY_WEIGHT,
    NOT_LOADED,
    EagerLine,
    FunctionCounts,
    JudgedFinding,
    Observation,
    Site,
    Verdict,
)
from jaxlint.verify.report.advice import EAGER_ADVICE
from jaxlint.verify.report.figures import announced_text, headline, line_text, near_text, seconds_text
from jaxlint.verify.report.groups import Group, groups_of, remedies
from jaxlint.verify.report.observed_findings import observed_lines

_SHOWN_VALUES = 4
_SHOWN_LINES = 8
_SHOWN_FUNCTIONS = 12
_SHOWN_SUBJECTS = 3
_SHOWN_FINDINGS = 30
_TEXT = 60


def text_lines(observation: Observation, paths: PathPrinter, paint: Paint) -> Iterator[str]:
    """The lines of the report."""
    yield from _head(observation, paint)
    costly = [function for function in observation.functions if function.recompilations]
    for function in costly[:_SHOWN_FUNCTIONS]:
        yield ""
        yield from _function(function, paths, paint)
    if len(costly) > _SHOWN_FUNCTIONS:
        rest = seconds_text(sum(function.seconds_lost for function in costly[_SHOWN_FUNCTIONS:]))
        yield ""
        yield f"... and {plural(len(costly) - _SHOWN_FUNCTIONS, 'more function')} compiled again, {rest} lost"
    yield from _steady(observation.functions, paths, paint)
    yield from _eager(observation.eager, paths, paint)
    yield from _findings(observation.findings, paths, paint)
    if observation.observed:
        yield ""
        yield from observed_lines(observation.observed, paths, paint)


def _head(observation: Observation, paint: Paint) -> Iterator[str]:
    runtime = observation.runtime
    device = f" on {runtime.device_kind}" if runtime.device_kind else ""
    versions = f"JAX {runtime.jax}{device}" if runtime.jax else "JAX was not imported"
    ran = f": {escape(shlex.join(observation.command))}" if observation.command else ""
    yield paint.strong(f"jaxlint verify{ran}")
    yield paint.faint(f"{escape(versions)}, Python {runtime.python or 'unknown'}; {observation.ended}")
    if observation.announced or observation.counted:
        yield paint.faint(escape(announced_text(observation)))
    for problem in observation.problems:
        yield paint.severity(f"incomplete: {escape(problem)}", Severity.WARNING)
    count = observation.recompilations
    functions = sum(bool(function.recompilations) for function in observation.functions)
    lost = sum(function.seconds_lost for function in observation.functions)
    said = headline(count, functions, lost, sum(function.was_traced for function in observation.functions))
    of_all = f", of {seconds_text(observation.seconds)} that the program ran" if count and observation.seconds else ""
    yield paint.strong(f"{said}{of_all}.") if count else paint.good(f"{said}.")


def _place(path: str, line: int, paths: PathPrinter) -> str:
    return escape(line_text(path, line, paths))


def _counts(function: FunctionCounts) -> str:
    calls = "" if function.calls is None else f" in {plural(function.calls, 'call')}"
    hits = f", {plural(function.cache_hits, 'hit')} in the persistent cache" if function.cache_hits else ""
    return f"{plural(function.traces, 'trace')}, {plural(function.compiles, 'compilation')}{hits}{calls}"


def _function(function: FunctionCounts, paths: PathPrinter, paint: Paint) -> Iterator[str]:
    name = paint.strong(escape(function.name))
    lost = paint.severity(f"{seconds_text(function.seconds_lost)} lost", Severity.WARNING)
    yield f"{paint.path(_place(function.path, function.line, paths))}  {name}  {lost}: {_counts(function)}"
    groups = groups_of(function)
    shown = groups[:_SHOWN_LINES]
    width = max(len(group.reason) for group in shown)
    for group in shown:
        yield from _reason(group, width, _called(group.call, (function.path, function.line), paths), paint)
    if len(groups) > _SHOWN_LINES:
        rest = seconds_text(sum(group.seconds for group in groups[_SHOWN_LINES:]))
        yield f"    ... and {plural(len(groups) - _SHOWN_LINES, 'more reason')}, {rest}"
    found = remedies(shown)
    for remedy in found:
        what = f" ({escape(', '.join(remedy.subjects[:_SHOWN_SUBJECTS]))})" if len(found) > 1 else ""
        yield f"    {paint.good(f'help{what}:')} {remedy.advice}"


def _called(call: Site | None, function: tuple[str, int], paths: PathPrinter) -> str:
    """The line of the call; with its file where that is not the function's own."""
    return "" if call is None else f", called at {escape(near_text(call.path, call.line, function, paths))}"


def _reason(group: Group, width: int, where: str, paint: Paint) -> Iterator[str]:
    label = f"{group.reason:<{width}}"
    cost = paint.faint(f"({seconds_text(group.seconds)}{where})")
    yield f"    {len(group.misses):>3}x {paint.evidence(label)}  {_change(group)}  {cost}"


def _change(group: Group) -> str:
    """`x: f32[1] -> f32[2], f32[3]`, or how many objects there were."""
    argument = f"{escape(group.argument)}: " if group.argument else ""
    change = group.change
    values = ", ".join(_short(value) for value in change.now[:_SHOWN_VALUES])
    more = f", ... {len(change.now) - _SHOWN_VALUES} more" if len(change.now) > _SHOWN_VALUES else ""
    return f"{argument}{f'{_short(change.before)} -> ' if change.before else ''}{values}{more}"


def _short(value: str) -> str:
    return escape(value if len(value) <= _TEXT else f"{value[: _TEXT - 3]}...")


def _steady(functions: Sequence[FunctionCounts], paths: PathPrinter, paint: Paint) -> Iterator[str]:
    steady = [function for function in functions if not function.recompilations and function.was_traced]
    if not steady:
        return
    yield ""
    yield paint.good(f"Compiled once, or inside another function: nothing to do for {plural(len(steady), 'function')}")
    for function in sorted(steady, key=lambda f: -f.seconds)[:_SHOWN_LINES]:
        inside = ", inside others" if all(miss.nested for miss in function.misses) and function.misses else ""
        counts = f"{_counts(function)}{inside}, {seconds_text(function.seconds)}"
        yield f"    {_place(function.path, function.line, paths)}  {escape(function.name)}  {paint.faint(counts)}"
    if len(steady) > _SHOWN_LINES:
        yield f"    ... and {len(steady) - _SHOWN_LINES} more"


def _eager(lines: Sequence[EagerLine], paths: PathPrinter, paint: Paint) -> Iterator[str]:
    """Lines that compiled one operation more than once, and in one line what the others cost."""
    again = [line for line in lines if line.is_compiled_again]
    if again:
        yield ""
        yield paint.strong("Eager operations (outside jit) compiled more than once")
    for line in again[:_SHOWN_LINES]:
        names = ", ".join(f"{escape(name)} {count}x" for name, count in list(line.ops.items())[:4])
        counts = f"{plural(line.compiles, 'compilation')}, {seconds_text(line.seconds)}"
        yield f"    {_place(line.path, line.line, paths)}  {counts}  {paint.faint(names)}"
    if len(again) > _SHOWN_LINES:
        yield f"    ... and {plural(len(again) - _SHOWN_LINES, 'more line')}"
    if again:
        yield f"    {paint.good('help:')} {EAGER_ADVICE}"
    once = [line for line in lines if line.compiles and not line.is_compiled_again]
    if once:
        compiles, spent = sum(line.compiles for line in once), seconds_text(sum(line.seconds for line in once))
        counts = f"{plural(compiles, 'compilation')} at {plural(len(once), 'line')}, {spent}"
        yield ""
        yield paint.faint(f"Eager operations (outside jit) compiled once each: {counts}")


_COLOURS = {Verdict.CONFIRMED: Severity.ERROR, Verdict.INCONCLUSIVE: Severity.WARNING}


def _findings(findings: Sequence[JudgedFinding], paths: PathPrinter, paint: Paint) -> Iterator[str]:
    """The findings by verdict, those first that something must be done about."""
    if not findings:
        return
    counts = [(verdict, sum(finding.verdict is verdict for finding in findings)) for verdict in BY_WEIGHT]
    yield ""
    yield paint.strong("Findings: ") + ", ".join(f"{count} {verdict.value}" for verdict, count in counts if count)
    width = max(len(verdict.value) for verdict, count in counts if count)
    unloaded = [finding for finding in findings if finding.evidence == NOT_LOADED]
    for verdict, _ in counts:
        own = [finding for finding in findings if finding.verdict is verdict and finding.evidence != NOT_LOADED]
        limit = len(own) if verdict is Verdict.CONFIRMED else _SHOWN_FINDINGS
        for finding in own[:limit]:
            yield from _finding(finding, width, paths, paint)
        if len(own) > limit:
            yield f"    ... and {len(own) - limit} more {verdict.value}"
    if unloaded:
        count, files = len(unloaded), len({finding.diagnostic.path for finding in unloaded})
        where = f"in {plural(files, 'file')} that the run did not load"
        yield f"    {plural(count, 'finding')} {Verdict.NOT_REACHED.value}, {where}"


def _finding(finding: JudgedFinding, width: int, paths: PathPrinter, paint: Paint) -> Iterator[str]:
    diagnostic, verdict = finding.diagnostic, finding.verdict
    place = f"{_place(diagnostic.path, diagnostic.span.line, paths)}:{diagnostic.span.column}"
    padded = f"{verdict.value:<{width}}"
    word = paint.severity(padded, _COLOURS[verdict]) if verdict in _COLOURS else paint.good(padded)
    yield f"    {word}  {place}  {diagnostic.rule}: {escape(diagnostic.message)}"
    if finding.evidence:
        yield f"        {paint.evidence(escape(finding.evidence))}"
    if verdict is Verdict.CONFIRMED and diagnostic.fix is not None:
        yield f"        {paint.good('help:')} {escape(diagnostic.fix.title)}"
