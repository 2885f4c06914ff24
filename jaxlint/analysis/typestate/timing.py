"""Readings of clocks, dispatched JAX work and waits, in the order in which they happen on each path.

Under-approximates: whatever cannot be seen into may have waited, and a wait on one of several paths counts for all.
Nothing is noted before a path reads a clock.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final, NamedTuple

from jaxlint.analysis.domain.findings import Place
from jaxlint.analysis.domain.idents import Ident, MadeAt
from jaxlint.analysis.domain.timeline import OPERATION, Program, Timeline, Work
from jaxlint.analysis.domain.values import Arguments, Qualified, Static, Value
from jaxlint.analysis.events.event import Operand
from jaxlint.analysis.events.timed_region import TimedRegion
from jaxlint.analysis.machine.run_facts import Callees
from jaxlint.analysis.machine.tables import Table, memoised
from jaxlint.analysis.source.reaching_definitions import call_at
from jaxlint.analysis.source.unread_names import names_read_nowhere
from jaxlint.analysis.typestate.start_up import options_set
from jaxlint.syntax import ir, positions, walks

if TYPE_CHECKING:
    from jaxlint.analysis.domain.frames import Frame
    from jaxlint.analysis.machine.interpreter import Interpreter
    from jaxlint.analysis.machine.semantics import Handler


class Reading(NamedTuple):
    """One reading of a clock: when, where, in which passes of the loops around, and what had happened before."""

    serial: int
    frame: Frame
    at: int
    passes: tuple[int, ...]
    before: Timeline


@dataclass(slots=True)
class Readings(Table):
    """All readings of clocks, by the identity of what they gave; where the time between two was told, by both."""

    by_ident: dict[Ident, Reading] = field(default_factory=dict)
    told: dict[tuple[int, int], int] = field(default_factory=dict)


#: Options that make JAX look at the numbers of each result.
_CHECKING: Final = frozenset({"jax_debug_infs", "jax_debug_nans"})


# --- readings


def _read(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    """A clock is read; in traced code that happens once, which is another matter."""
    kind = "datetime" if name.startswith("datetime.") else "int" if name.endswith("_ns") else "float"
    if it.frame.trace is not None:
        return Static(type=kind)
    state = it.frame.state
    if state.clock is None:
        state.clock = Timeline()
    return _reading(it, kind, node.at, state.clock)


def _reading(it: Interpreter, kind: str | None, at: int, before: Timeline) -> Static:
    serial = it.fresh()
    ident = MadeAt(at, serial)
    it.tables[Readings].by_ident[ident] = Reading(serial, it.frame, at, it.frame.all_iterations(), before)
    return Static(type=kind, ident=ident)


_CLOCKS = (
    "time.time", "time.time_ns", "time.perf_counter", "time.perf_counter_ns", "time.monotonic", "time.monotonic_ns",
    "time.process_time", "time.process_time_ns", "timeit.default_timer", "datetime.datetime.now",
    "datetime.datetime.utcnow", "datetime.datetime.today",
)  # fmt: skip
SPECIAL: dict[str, Handler] = dict.fromkeys(_CLOCKS, _read)


def difference(it: Interpreter, first: Ident, second: Ident, node: ir.Expr) -> None:
    """One number is subtracted from another: where both are readings, this is what the code between them took."""
    readings = it.tables[Readings].by_ident
    one, other = readings.get(first), readings.get(second)
    if one is None or other is None or it.frame.trace is not None or not it.wants(TimedRegion):
        return
    start, end = sorted((one, other), key=lambda reading: reading.serial)
    depth = len(start.passes)
    if 0 in end.passes[depth:]:
        return  # what waits for the work of one pass may stand behind the clock: the next pass tells
    work = end.before.unfinished(start.serial, depth)
    frame = it.frame
    if work is None or _is_deadline(frame.body, node.at) or _times_wait_apart(it, node):
        return
    if it.tables[Readings].told.setdefault((start.serial, end.serial), node.at) != node.at:
        return  # the same time, shown in another unit
    seen = as_seen(work, frame)
    is_light = end.before.work is not work
    lines = _lines_around(start, end, frame, node.at)
    dispatched = Place(work.frame.path, work.at)
    compiles = work.compiles(start.serial, frame) or (work.program.keeps and is_first_call(it, seen, again=True))
    chained, unread = _is_chained(frame.body, node), bool(names_read_nowhere(it, frame.body, node.at))
    found = TimedRegion(frame, node.at, seen, dispatched, is_light, lines, node.at)
    calls_host = work.program.calls_host
    it.emit(replace(found, compiles=compiles, is_chained=chained, is_unread=unread, calls_host=calls_host))


def as_seen(work: Work, frame: Frame) -> Operand:
    """The call that dispatched the work, in the innermost invocation that the measuring code has in common with it."""
    shared = set(map(id, frame.callers()))
    at = work.at
    for inner in work.frame.callers():
        if id(inner) in shared and at >= 0:
            return Operand(Static(), inner, at)
        at = inner.call_at
    return Operand(Static(), work.frame, work.at)


def is_first_call(it: Interpreter, work: Operand, *, again: bool) -> bool:
    """Whether timed work is the call that compiles a function: the first one that the code around makes of it.

    `again`: only if a later one is made there, which the same program serves.
    """
    call, frame = call_at(it, work.frame, work.at), work.frame
    callee = "" if call is None else walks.dotted(call.func)
    if call is None or not callee or call.at in _in_loops(it, frame.body):
        return False
    others = [at for at in _calls_of(it, frame.body, callee) if at != call.at]
    return all(at > call.at for at in others) and (bool(others) or not again)


def _calls_of(it: Interpreter, body: ir.Block, callee: str) -> list[int]:
    """Where code calls a function by this name."""
    return [call.at for call in _calls_in_order(it, body) if walks.dotted(call.func) == callee]


@memoised
def _in_loops(_: Interpreter, body: ir.Block) -> frozenset[int]:
    """The ordinals of all that a loop or comprehension of this code repeats."""
    loops = (node for node in walks.nodes(body) if isinstance(node, ir.For | ir.While | ir.Comprehension))
    return frozenset(at for loop in loops for at in walks.ordinals(loop))


def _is_deadline(body: ir.Block, at: int) -> bool:
    """Whether the difference only decides how to go on: whether time is up, or enough has passed since last time."""
    tests: set[int] = set()
    names: dict[str, list[int]] = {}
    target = ""
    for node in walks.nodes(body):
        match node:
            case ir.If() | ir.While() | ir.Conditional():
                tests.update(walks.ordinals(node.test))
            case ir.Assign(targets=(ir.Name(id=name),)) if node.value.at == at:
                target = name
            case ir.Name():
                names.setdefault(node.id, []).append(node.at)
            case _:
                pass
    read = [place for place in names.get(target, ()) if place > at]
    return at in tests or (bool(read) and tests.issuperset(read))


def _times_wait_apart(it: Interpreter, node: ir.Expr) -> bool:
    """Whether the code goes on to wait, with nothing else between two readings: it times the dispatch on purpose."""
    frame = it.frame
    calls = _calls_in_order(it, frame.body)
    callees = it.tables[Callees].by_call
    clocks = {walks.dotted(call.func) for call in calls if _is_clock(callees.get((frame.path, call.at)))}
    kinds = [_kind_of_call(walks.dotted(call.func), clocks) for call in calls if call.at >= node.at]
    steps = [kind for kind in kinds if kind]
    return any(steps[n : n + 3] == ["clock", "wait", "clock"] for n in range(len(steps) - 2))


@memoised
def _calls_in_order(_: Interpreter, body: ir.Block) -> tuple[ir.Call, ...]:
    """The calls in a block, in the order in which they are written."""
    calls = (node for node in walks.nodes(body) if isinstance(node, ir.Call))
    return tuple(sorted(calls, key=lambda call: call.at))


def _is_clock(callee: Value | None) -> bool:
    return isinstance(callee, Qualified) and callee.name in _CLOCKS


def _kind_of_call(callee: str, clocks: set[str]) -> str:
    """Whether a call reads one of the clocks, waits, does something else, or, as `print`, counts for nothing."""
    if callee in clocks:
        return "clock"
    if callee.rpartition(".")[2] == "block_until_ready":
        return "wait"
    return "" if callee == "print" else "other"


def _is_chained(body: ir.Block, node: ir.Expr) -> bool:
    """Whether a method keeps the end of what it measures as the start for its next call: `self.last = now`."""
    start = walks.dotted(node.right) if isinstance(node, ir.BinaryOperation) else ""
    if "." not in start or not isinstance(node, ir.BinaryOperation):
        return False
    assigned = (part for part in walks.statements(body) if isinstance(part, ir.Assign))
    stores = [part for part in assigned if start in map(walks.dotted, part.targets)]
    end = _read_by(node.left)
    return bool(end and stores) and all(s.at > node.at and _read_by(s.value) == end for s in stores)


def _read_by(node: ir.Expr) -> str:
    """The variable that holds a reading of a clock, or the clock that is called."""
    return f"{walks.dotted(node.func)}()" if isinstance(node, ir.Call) else walks.dotted(node)


def _lines_around(start: Reading, end: Reading, frame: Frame, at: int) -> tuple[str, ...]:
    """The lines that read the clock, subtract, and tell what is done and what came of it."""
    source = frame.module.source
    wanted = {source.span(at).line}
    wanted |= {source.span(reading.at).line for reading in (start, end) if reading.frame.path == source.path}
    first, last = min(wanted), max(wanted)
    return lines_of(frame, wanted | {first - 1, first + 1, last + 1, last + 2})


def lines_of(frame: Frame, numbers: set[int]) -> tuple[str, ...]:
    """The lines of a module with these numbers, from 1, as far as there are such."""
    lines = positions.lines_of(frame.module.source.text)
    return tuple(lines[number - 1].rstrip("\r\n") for number in sorted(numbers) if 0 < number <= len(lines))


# --- work and waits


def dispatched(it: Interpreter, at: int, program: Program = OPERATION, *, is_light: bool = False) -> None:
    """JAX was given work to do, and returned at once."""
    clock = it.frame.state.clock
    if clock is None:
        return
    it.facts.operations += 1
    if it.frame.trace is not None:
        return
    *_, outermost = it.frame.callers()
    if _checks_results(it, outermost.module.source.module):
        waited(it)
        return
    work = Work(it.fresh(), it.frame, at, program)
    it.frame.state.clock = clock._replace(light=work) if is_light else clock._replace(work=work)


@memoised
def _checks_results(_: Interpreter, module: ir.Module) -> bool:
    """Whether a file makes JAX look at the numbers of each result, for which it waits, as measured on JAX 0.10.2."""
    values = (value for option, value in options_set(module) if option in _CHECKING)
    return any(isinstance(value, ir.Constant) and value.value for value in values)


def waited(it: Interpreter, *, sure: bool = True) -> None:
    """Something waits for the work so far, or, where it is not sure, may do so."""
    state = it.frame.state
    if state.clock is not None and it.frame.trace is None:
        state.clock = state.clock.after_call(it.fresh(), len(it.frame.all_iterations()), sure=sure)


# --- calls that are not interpreted again


class Effect(NamedTuple):
    """What one interpreted call did to the timeline: how it left it, and in how many loops it was made."""

    after: Timeline
    depth: int


def effect(it: Interpreter) -> Effect | None:
    """What the call that has just ended, of the current frame, did; None where no clock was ever read."""
    clock = it.frame.state.clock
    return None if clock is None else Effect(clock, len(it.frame.all_iterations()))


def repeat(it: Interpreter, done: Effect | None, start: int, at: int) -> None:
    """A call like one that began at the moment `start` happens here."""
    if done is None or it.frame.trace is not None:
        return
    state = it.frame.state
    if state.clock is None:
        state.clock = Timeline()
    after, now = done.after, len(it.frame.all_iterations())
    if max(after.waited, after.idle) >= start:
        state.clock = state.clock.after_call(it.fresh(), now, sure=False)
    inner = [depth for depth, serial in enumerate(after.loops) if serial >= start]
    if inner:
        depth = max(now, now + inner[-1] - done.depth)
        state.clock = state.clock.after_wait(it.fresh(), depth, sure=True)
    for work in (after.work, after.light):
        if work is not None and work.serial >= start:
            dispatched(it, at, work.program.again(start, it.fresh()), is_light=work is after.light)


def read_again(it: Interpreter, value: Static, start: int) -> Static:
    """A value that such a call returned; a clock that was read inside is read once more."""
    reading = it.tables[Readings].by_ident.get(value.ident)
    if reading is None or reading.serial < start:
        return value
    clock = it.frame.state.clock or Timeline()
    known = any(work is not None and work.serial >= start for work in (reading.before.work, reading.before.light))
    return _reading(it, value.type, reading.at, clock if known else Timeline())
