"""What each function cost, and the operations that were compiled outside of any."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from jaxlint.report.paths import PathPrinter
from jaxlint.text import plural
from jaxlint.verify.model import EagerLine, FunctionCounts, Observation
from jaxlint.verify.report.advice import EAGER_ADVICE
from jaxlint.verify.report.figures import seconds_text
from jaxlint.verify.report.html.bars import bar, legend
from jaxlint.verify.report.html.elements import (
    ABSENT,
    NOTHING,
    TIMES,
    Html,
    count,
    folded,
    join,
    place,
    seconds,
    section,
    table,
    tag,
    words,
)

_SHOWN: Final = 20
_FOLDED: Final = 500
_SHOWN_LINES: Final = 12
_FOLDED_LINES: Final = 200


def costs(observation: Observation, paths: PathPrinter) -> Html:
    """The section: every function that was traced, those that lost most first."""
    functions = [function for function in observation.functions if function.was_traced]
    functions.sort(key=lambda function: (-function.seconds_lost, -function.seconds))
    if not functions:
        return NOTHING
    longest = max(function.seconds for function in functions)
    columns = _columns(functions)
    tables = [
        table(caption, columns, [_row(f, columns, longest, paths) for f in rows], "costs")
        for caption, rows in (
            ("Cost per function, by time lost", functions[:_SHOWN]),
            ("Cost of the other functions", functions[_SHOWN:_FOLDED]),
        )
        if rows
    ]
    rest = functions[_SHOWN:]
    about = (
        "Time lost is what the compilations after the first cost. What is traced inside another function is part of "
        "the time of that one too."
    )
    return section(
        "costs",
        "Cost per function",
        tag("p", about),
        legend(),
        tables[0],
        folded(f"{plural(len(rest), 'more function')}, {_sum(rest)}", tables[1], _left_out(functions[_FOLDED:]))
        if rest
        else NOTHING,
    )


def _sum(functions: Sequence[FunctionCounts]) -> str:
    lost = sum(function.seconds_lost for function in functions)
    told = f", {seconds_text(lost)} of it lost" if lost else ""
    return f"{seconds_text(sum(function.seconds for function in functions))} together{told}"


def _left_out(functions: Sequence[FunctionCounts]) -> Html:
    if not functions:
        return NOTHING
    return tag("p", f"And {plural(len(functions), 'function')} that are not listed, {_sum(functions)}.", class_="rest")


def _columns(functions: Sequence[FunctionCounts]) -> list[str]:
    """The heads; those that would be empty are left out."""
    hits = ["Cache hits"] if any(function.cache_hits for function in functions) else []
    calls = ["Calls"] if any(function.calls is not None for function in functions) else []
    return [
        "Function", "Time", "Tracing", "Lowering", "Compiling", *calls, "Traces", "Compilations", *hits,
        "Recompiled", "Lost",
    ]  # fmt: skip


def _row(function: FunctionCounts, columns: Sequence[str], longest: float, paths: PathPrinter) -> list[Html]:
    parts = (function.trace_seconds, function.lower_seconds, function.compile_seconds)
    name = tag("span", words(function.name), class_="name")
    cells = {
        "Function": join((name, place(function.path, function.line, paths)), " "),
        "Time": join((seconds(function.seconds), bar(parts, longest))),
        "Tracing": seconds(function.trace_seconds),
        "Lowering": seconds(function.lower_seconds),
        "Compiling": seconds(function.compile_seconds),
        "Calls": ABSENT if function.calls is None else count(function.calls),
        "Traces": count(function.traces),
        "Compilations": count(function.compiles),
        "Cache hits": count(function.cache_hits),
        "Recompiled": count(len(function.recompilations)),
        "Lost": tag("b", seconds(function.seconds_lost)) if function.recompilations else seconds(0.0),
    }
    return [cells[head] for head in columns]


def eager(observation: Observation, paths: PathPrinter) -> Html:
    """The section on lines that compile operations for themselves, those that do it again first."""
    lines = [line for line in observation.eager if line.compiles]
    again = [line for line in lines if line.is_compiled_again]
    once = [line for line in lines if not line.is_compiled_again]
    shown, more = again[:_SHOWN_LINES], [*again[_SHOWN_LINES:], *once]
    if not lines:
        return NOTHING
    return section(
        "eager",
        "Eager operations (outside jit)",
        _table("Eager operations compiled more than once", shown, paths),
        tag("p", tag("b", "Fix: "), EAGER_ADVICE, ".", class_="fix") if shown else NOTHING,
        folded(_more(again[_SHOWN_LINES:], once), _table("Other lines", more[:_FOLDED_LINES], paths))
        if more
        else NOTHING,
    )


def _more(again: Sequence[EagerLine], once: Sequence[EagerLine]) -> str:
    told = [f"{plural(len(again), 'more line')} of that kind"] if again else []
    told += [f"{plural(len(once), 'line')} with operations compiled once each"] if once else []
    spent = seconds_text(sum(line.seconds for line in (*again, *once)))
    left = len(again) + len(once) - _FOLDED_LINES
    return f"{' and '.join(told)}, {spent}" + (f"; the last {left} are not listed" if left > 0 else "")


def _table(caption: str, lines: Sequence[EagerLine], paths: PathPrinter) -> Html:
    rows = [
        [place(line.path, line.line, paths) or _unknown(), count(line.compiles), seconds(line.seconds), _ops(line)]
        for line in lines
    ]
    return table(caption, ["Line", "Compilations", "Time", "Operations"], rows, "eager") if rows else NOTHING


def _unknown() -> Html:
    """What stands where no line of the user's is known."""
    return tag("span", "no line of the program")


def _ops(line: EagerLine) -> Html:
    shown = [join((tag("code", name), f" {number}{TIMES}")) for name, number in list(line.ops.items())[:6]]
    left = len(line.ops) - len(shown)
    return join([*shown, f"{left} more"] if left > 0 else shown, ", ")
