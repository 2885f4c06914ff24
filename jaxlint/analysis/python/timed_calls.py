"""Calls of `timeit`, which run what they are given and measure how long that takes.

Under-approximates as the clocks that code reads do: see `typestate.timing`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from jaxlint.analysis.domain.findings import Place
from jaxlint.analysis.domain.frames import Frame
from jaxlint.analysis.domain.timeline import Timeline, Work
from jaxlint.analysis.domain.values import STATIC, Arguments, Iterable, Static, Value
from jaxlint.analysis.events.event import Operand
from jaxlint.analysis.events.timed_region import TimedRegion
from jaxlint.analysis.python import calls
from jaxlint.analysis.typestate.timing import lines_of
from jaxlint.syntax import ir, walks

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter
    from jaxlint.analysis.machine.semantics import Handler


def _timed(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    """`timeit.timeit(f, number=10)`: calls `f`, again and again, and waits for nothing."""
    function = arguments.get(0, "stmt")
    taken = Static(type="float")
    result = Iterable("list", taken) if name.endswith(".repeat") else taken
    if function is None or isinstance(function, Static) or it.frame.trace is not None:
        return result
    state = it.frame.state
    clock, keys = state.clock, state.keys
    state.clock, state.keys = Timeline(), {}  # numbers that are drawn only to be timed are nobody's
    start = it.fresh()
    calls.dispatch(it, function, Arguments([]), node)
    timeline = it.frame.state.clock
    it.frame.state.clock, it.frame.state.keys = clock, keys
    work = None if timeline is None else timeline.unfinished(start, len(it.frame.all_iterations()))
    if work is not None and timeline is not None and it.wants(TimedRegion):
        compiles = work.is_compiled_again(start)
        _tell(it, name, node, work, is_light=timeline.work is not work, compiles=compiles)
    return result


def _tell(it: Interpreter, name: str, node: ir.Expr, work: Work, *, is_light: bool, compiles: bool) -> None:
    frame = it.frame
    seen = _inside(work, frame)
    line = frame.module.source.span(node.at).line
    lines = lines_of(frame, {line - 1, line})
    measured = walks.dotted(node.func) if isinstance(node, ir.Call) else name
    dispatched = Place(work.frame.path, work.at)
    found = TimedRegion(frame, node.at, seen, dispatched, is_light, lines, node.at, measured or name)
    it.emit(replace(found, compiles=compiles))


def _inside(work: Work, frame: Frame) -> Operand:
    """The work as the function that is timed writes it, or the call that times it where that function is compiled."""
    inner, at = work.frame, work.at
    while inner is not frame and inner.caller is not None and inner.caller is not frame:
        inner, at = inner.caller, inner.call_at
    return Operand(STATIC, inner, at)


SPECIAL: dict[str, Handler] = dict.fromkeys(("timeit.timeit", "timeit.repeat"), _timed)
