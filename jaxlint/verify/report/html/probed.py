"""Functions that were probed: with what, how each call ended, and what compiling them gave."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from jaxlint.report.paths import PathPrinter
from jaxlint.text import plural
from jaxlint.verify.model import ProbeCall, ProbedFunction
from jaxlint.verify.report.figures import bytes_text
from jaxlint.verify.report.html.bars import bar, legend
from jaxlint.verify.report.html.elements import (
    ABSENT,
    NOTHING,
    Html,
    counted,
    folded,
    join,
    lines,
    place,
    seconds,
    section,
    table,
    tag,
    words,
)

_SHOWN: Final = 40
_FOLDED: Final = 400
_MODES: Final = {
    "trace": "traced on abstract values",
    "jit": "traced as jit would",
    "execute": "executed",
    "import": "when imported",
    "site": "as called in its module",
}


def figures(functions: Sequence[ProbedFunction], platform: str | None) -> Html:
    """The section on compilation for the target: seconds, work and memory, the slowest first."""
    compiled = sorted((f for f in functions if _was_compiled(f)), key=lambda f: -(f.compile_seconds or 0.0))
    if not compiled:
        return NOTHING
    longest = max(sum(_parts(function)) for function in compiled)
    heads = ["Function", "Time", "Tracing", "Lowering", "Compiling", "Flops", "Bytes accessed", "Memory"]
    rows = [_figures_row(function, longest) for function in compiled[:_FOLDED]]
    tables = [
        table(caption, heads, part, "costs")
        for caption, part in (("Compile figures", rows[:_SHOWN]), ("Compile figures of others", rows[_SHOWN:]))
        if part
    ]
    where = f" for {platform}" if platform else ""
    return section(
        "figures",
        "Compiled for the target",
        tag("p", f"Each function compiled{where} on the inputs of its first probe that could be traced. Flops, bytes "
            "and memory are what XLA estimates; memory is that of arguments, results and temporaries."),
        legend(),
        tables[0],
        folded(f"{plural(len(compiled) - _SHOWN, 'more function')}", tables[1]) if tables[1:] else NOTHING,
    )  # fmt: skip


def _was_compiled(function: ProbedFunction) -> bool:
    return function.compile_seconds is not None


def _parts(function: ProbedFunction) -> tuple[float, float, float]:
    return function.trace_seconds, function.lower_seconds or 0.0, function.compile_seconds or 0.0


def _figures_row(function: ProbedFunction, longest: float) -> list[Html]:
    parts = _parts(function)
    memory = [function.memory.get(name) for name in ("argument", "output", "temp")]
    total = None if memory[2] is None else sum(size or 0 for size in memory)
    return [
        tag("span", words(function.name), class_="name"),
        join((seconds(sum(parts)), bar(parts, longest))),
        *(seconds(part) for part in parts),
        _told(function.flops, lambda value: f"{value:,.0f}"),
        _told(function.bytes_accessed, bytes_text),
        _told(total, bytes_text),
    ]


def _told(value: float | None, text: Callable[[float], str]) -> Html:
    return ABSENT if value is None else tag("data", text(value), value=value)


def probes(functions: Sequence[ProbedFunction], paths: PathPrinter) -> Html:
    """The section on the calls that were made: on which inputs, and how each ended."""
    cards = [_card(function, paths) for function in functions[:_FOLDED]]
    rest, left = functions[_SHOWN:], len(functions) - _FOLDED
    more = tag("p", f"And {plural(left, 'function')} that are not shown.", class_="rest") if left > 0 else NOTHING
    return section(
        "probes",
        "What was probed",
        *cards[:_SHOWN],
        folded(plural(len(rest), "more function"), *cards[_SHOWN:], more) if rest else NOTHING,
    )


def _card(function: ProbedFunction, paths: PathPrinter) -> Html:
    heading = tag(
        "h3", tag("span", words(function.name), class_="name"), Html(" "), place(function.path, function.line, paths)
    )
    heads = ["Call", "Inputs", "How it ended"]
    rows = [_call(number, call) for number, call in enumerate(function.calls, 1)]
    calls = table(f"Calls of {function.name}", heads, rows, "calls") if rows else NOTHING
    return tag("article", lines(heading, calls, _memory(function), _lowered(function)), class_="card")


def _call(number: int, call: ProbeCall) -> list[Html]:
    inputs = join((tag("code", f"{name}={text}") for name, text in call.inputs.items()), ", ")
    how = _MODES.get(call.mode or "", call.mode or "not called")
    ended = tag("span", call.error, class_="lost") if call.error else tag("span", "completed")
    return [tag("span", f"{number}, {how}"), inputs or tag("span", "none"), ended]


def _memory(function: ProbedFunction) -> Html:
    """Where the memory goes, or why there is none."""
    if function.error:
        return tag("p", tag("b", "It does not compile: "), function.error, class_="lost")
    names = {"argument": "arguments", "output": "results", "temp": "temporaries", "generated_code": "code"}
    told = [
        join((text, " ", tag("data", bytes_text(size), value=size)))
        for name, text in names.items()
        if (size := function.memory.get(name)) is not None
    ]
    return tag("p", tag("b", "Memory: "), join(told, ", "), ".") if told else NOTHING


def _lowered(function: ProbedFunction) -> Html:
    if not function.lowered_for:
        return NOTHING
    told = [
        tag("li", tag("b", platform), ": ", "can be lowered" if problem is None else problem)
        for platform, problem in function.lowered_for.items()
    ]
    return tag("ul", join(told), class_="notes")


def summary(functions: Sequence[ProbedFunction]) -> list[tuple[str, Html]]:
    """Labels and figures for the head of the page."""
    calls = sum(call.mode is not None for function in functions for call in function.calls)
    compiled = [function for function in functions if _was_compiled(function)]
    tiles = [counted(len(functions), "function", " probed"), counted(calls, "call", " made")]
    if compiled:
        spent = sum(function.compile_seconds or 0.0 for function in compiled)
        tiles.append((f"compiling {plural(len(compiled), 'function')}", seconds(spent)))
    return tiles
