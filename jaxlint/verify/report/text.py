"""The report of `verify` for a terminal: what cost most comes first, each reason as one line from before to now."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from itertools import groupby

from jaxlint.diagnostics import Severity
from jaxlint.report.paint import Paint
from jaxlint.report.paths import PathPrinter
from jaxlint.text import escape, plural
from jaxlint.verify.model import EagerLine, FunctionCounts, JudgedFinding, Miss, Observation, Verdict
from jaxlint.verify.report.advice import ADVICE

_SHOWN_VALUES = 5
_SHOWN_LINES = 8
_SHOWN_FUNCTIONS = 12
_TEXT = 60


def text_lines(observation: Observation, paths: PathPrinter, paint: Paint) -> Iterator[str]:
    """The lines of the report."""
    yield from _head(observation, paint)
    costly = [function for function in observation.functions if function.recompilations]
    for function in costly[:_SHOWN_FUNCTIONS]:
        yield ""
        yield from _function(function, paths, paint)
    if len(costly) > _SHOWN_FUNCTIONS:
        yield f"... and {plural(len(costly) - _SHOWN_FUNCTIONS, 'more function')} that were compiled again"
    yield from _steady(observation.functions, paths, paint)
    yield from _eager([line for line in observation.eager if line.compiles > 1], paths, paint)
    yield from _findings(observation.findings, paths, paint)


def _head(observation: Observation, paint: Paint) -> Iterator[str]:
    target = observation.target
    device = f" on {target.device_kind}" if target.device_kind else ""
    versions = f"JAX {target.jax}{device}" if target.jax else "JAX was not imported"
    yield paint.strong(f"jaxlint verify: {escape(shlex.join(observation.command))}")
    yield paint.faint(f"{escape(versions)}, Python {target.python or 'unknown'}; {observation.ended}")
    for problem in observation.problems:
        yield paint.severity(f"incomplete: {escape(problem)}", Severity.WARNING)
    count = observation.recompilations
    functions = sum(bool(function.recompilations) for function in observation.functions)
    lost = sum(function.seconds_lost for function in observation.functions)
    if count:
        yield f"{plural(count, 'recompilation')} of {plural(functions, 'function')} cost {_seconds(lost)}."
    elif observation.functions:
        yield paint.good(f"No recompilations: {plural(len(observation.functions), 'function')} traced.")
    else:
        yield "Nothing of the user's was traced."


def _function(function: FunctionCounts, paths: PathPrinter, paint: Paint) -> Iterator[str]:
    calls = "" if function.calls is None else f" in {plural(function.calls, 'call')}"
    hits = f", {plural(function.cache_hits, 'hit')} in the persistent cache" if function.cache_hits else ""
    counts = f"{plural(function.traces, 'trace')}, {plural(function.compiles, 'compilation')}{hits}{calls}"
    name = paint.strong(escape(function.name))
    lost = paint.severity(f"{_seconds(function.seconds_lost)} lost", Severity.WARNING)
    yield f"{paint.path(paths(function.path))}:{function.line}  {name}  {counts}, {lost}"
    misses = sorted(function.recompilations, key=_group)
    groups = [list(group) for _, group in groupby(misses, key=_group)]
    groups.sort(key=lambda group: -sum(miss.seconds for miss in group))
    for group in groups[:_SHOWN_LINES]:
        yield from _reason(group, paths, paint)
    if len(groups) > _SHOWN_LINES:
        yield f"    ... and {plural(len(groups) - _SHOWN_LINES, 'more reason')}"
    advice = ADVICE.get(groups[0][0].difference.reason)
    if advice:
        yield f"    {paint.good('help:')} {advice}"


def _group(miss: Miss) -> tuple[str, str, str, int]:
    difference, call = miss.difference, miss.call
    return difference.reason, difference.argument or "", call.path if call else "", call.line if call else 0


def _reason(group: Sequence[Miss], paths: PathPrinter, paint: Paint) -> Iterator[str]:
    first = group[0]
    where = f"  {paint.faint(f'called at {paths(first.call.path)}:{first.call.line}')}" if first.call else ""
    label = f"{first.difference.reason:<16}"
    yield f"    {len(group):>3}x {paint.evidence(label)} {_change(group)}{where}"


def _change(group: Sequence[Miss]) -> str:
    """`x: f32[1] -> f32[2] -> f32[3]`, or how many objects there were."""
    first = group[0].difference
    argument = f"{escape(first.argument)}: " if first.argument else ""
    if first.reason == "new-function-object":
        return f"{len(group) + 1} function objects from one place"
    values = [first.before or ""]
    for miss in group:
        if values[-1] != (miss.difference.before or ""):
            values.append(miss.difference.before or "")
        values.append(miss.difference.now or "")
    shown = [escape(value[:_TEXT]) for value in values[:_SHOWN_VALUES] if value]
    more = " ..." if len(values) > _SHOWN_VALUES else ""
    return f"{argument}{' -> '.join(shown)}{more}"


def _steady(functions: Sequence[FunctionCounts], paths: PathPrinter, paint: Paint) -> Iterator[str]:
    steady = [function for function in functions if not function.recompilations]
    if not steady:
        return
    yield ""
    yield paint.good(f"Compiled no more than once for each use: {plural(len(steady), 'function')}")
    for function in sorted(steady, key=lambda f: -(f.trace_seconds + f.compile_seconds))[:_SHOWN_LINES]:
        calls = "" if function.calls is None else f" in {plural(function.calls, 'call')}"
        spent = _seconds(function.trace_seconds + function.lower_seconds + function.compile_seconds)
        counts = f"{plural(function.traces, 'trace')}, {plural(function.compiles, 'compilation')}{calls}, {spent}"
        yield f"    {paths(function.path)}:{function.line}  {escape(function.name)}  {paint.faint(counts)}"
    if len(steady) > _SHOWN_LINES:
        yield f"    ... and {len(steady) - _SHOWN_LINES} more"


def _eager(lines: Sequence[EagerLine], paths: PathPrinter, paint: Paint) -> Iterator[str]:
    if not lines:
        return
    yield ""
    yield paint.strong("Operations outside of any compiled function, compiled again and again at one line")
    for line in lines[:_SHOWN_LINES]:
        names = ", ".join(f"{escape(name)} {count}x" for name, count in list(line.ops.items())[:4])
        counts = f"{line.compiles} compilations, {_seconds(line.seconds)}"
        yield f"    {paths(line.path)}:{line.line}  {counts}  {paint.faint(names)}"
    if len(lines) > _SHOWN_LINES:
        yield f"    ... and {plural(len(lines) - _SHOWN_LINES, 'more line')}"


_COLOURS = {Verdict.CONFIRMED: Severity.ERROR, Verdict.INCONCLUSIVE: Severity.WARNING}


def _findings(findings: Sequence[JudgedFinding], paths: PathPrinter, paint: Paint) -> Iterator[str]:
    if not findings:
        return
    counts = [(verdict, sum(finding.verdict is verdict for finding in findings)) for verdict in Verdict]
    yield ""
    yield paint.strong("Findings: ") + ", ".join(f"{count} {verdict.value}" for verdict, count in counts if count)
    for finding in findings:
        yield from _finding(finding, paths, paint)


def _finding(finding: JudgedFinding, paths: PathPrinter, paint: Paint) -> Iterator[str]:
    diagnostic, verdict = finding.diagnostic, finding.verdict
    place = f"{paths(diagnostic.path)}:{diagnostic.span.line}:{diagnostic.span.column}"
    word = paint.severity(verdict.value, _COLOURS[verdict]) if verdict in _COLOURS else paint.good(verdict.value)
    yield f"    {word:<14} {place}  {diagnostic.rule}: {escape(diagnostic.message)}"
    if finding.evidence:
        yield f"        {paint.evidence(escape(finding.evidence))}"


def _seconds(seconds: float) -> str:
    return f"{seconds:.2f} s" if seconds >= 1 else f"{seconds * 1000:.0f} ms"
