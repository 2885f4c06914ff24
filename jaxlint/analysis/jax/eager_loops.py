"""Loops of Python that run JAX: what they wait for, hand over, and compute outside compiled code at each pass.

Under-approximates: only what each pass of a loop does, which is not known to be short, and of whose passes the source
shows that they are steps: calls of compiled code, without a loop inside of them. Where compilation is turned off,
nothing is noted: that is slow on purpose.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from jaxlint.analysis.domain.application import Application, underlying
from jaxlint.analysis.domain.findings import Place
from jaxlint.analysis.domain.idents import made_at
from jaxlint.analysis.domain.values import Arguments, Array, Leaves, Level, Transformed, Value, atoms_of, ident_of
from jaxlint.analysis.events.event import Operand
from jaxlint.analysis.events.performance import EagerDerivative, HostSync, RepeatedTransfer
from jaxlint.analysis.jax import loop_variance
from jaxlint.analysis.machine.tables import Table
from jaxlint.analysis.source import kept_values
from jaxlint.syntax import ir, walks

if TYPE_CHECKING:
    from jaxlint.analysis.domain.frames import Frame, Pass
    from jaxlint.analysis.machine.interpreter import Interpreter
    from jaxlint.analysis.python.loop_costs import Begun

#: So many iterations of operations that are dispatched one by one take a second or two.
SHORT = 100
#: So few operations cost about as much as one compiled program.
_FEW = 3
#: Known to have fewer elements, an array takes no time to hand over.
SMALL = 100


class LoopKey(NamedTuple):
    """A loop in one invocation."""

    frame: int
    at: int


@dataclass(slots=True)
class _Steps(Table):
    """Where loops call compiled code, and functions that have loops of JAX inside.

    Passes of loops in `long` take long, those in `waiting` need a number that compiled code computes. `first_waits`
    holds the node at which a pass asks for its first number without need.
    """

    calls: dict[LoopKey, Operand] = field(default_factory=dict)
    long: set[LoopKey] = field(default_factory=set)
    waiting: set[LoopKey] = field(default_factory=set)
    looping: set[int] = field(default_factory=set)
    first_waits: dict[LoopKey, int] = field(default_factory=dict)


def around(it: Interpreter, frame: Frame) -> Iterator[tuple[Frame, Pass, LoopKey]]:
    """The loops around what a frame does, through the calls that lead to it, innermost first."""
    for caller, this in loop_variance.around(it, frame):
        yield caller, this, LoopKey(caller.serial, this.at)


def structured_loop(it: Interpreter) -> None:
    """A loop of JAX runs: what leads here takes long."""
    known = it.tables[_Steps].looping
    known.update(id(frame.function) for frame in it.frame.callers() if frame.function is not None)


def is_eager(it: Interpreter) -> bool:
    """Whether code here is surely run as it is: by a module, or in a loop that calls compiled code."""
    if it.frame.trace is not None:
        return False
    known = it.tables[_Steps].calls
    return it.frame.ambient is Level.CONCRETE or any(key in known for _, _, key in around(it, it.frame))


# --- calls of what JAX transformed


def called(it: Interpreter, application: Application, arguments: Arguments, node: ir.Expr, before: Begun) -> None:
    """A transformed function was called; `before` is what was counted until then."""
    table = it.tables[_Steps]
    if it.api.has(application.name, "keeps-programs"):
        if it.frame.ambient is not Level.TRACED:
            it.facts.array_operations = min(before.operations + 1, it.facts.array_operations)  # one dispatch for all
        if it.frame.trace is None:
            _note_step(it, table, application, node)
            handed_over(it, arguments, node)
    elif it.frame.trace is None and application.row.level == "grad" and not it.frame.caveats.eager:
        _derivative(it, application, node, before)


def _note_step(it: Interpreter, table: _Steps, application: Application, node: ir.Expr) -> None:
    target = underlying(application.target)
    is_step = target is None or id(target.function) not in table.looping
    waits = it.api.has(application.name, "returns-when-done")
    for _, _, key in around(it, it.frame):
        if waits:
            table.waiting.add(key)
        if is_step:
            table.calls.setdefault(key, Operand(application.target, it.frame, node.at))
        else:
            table.long.add(key)
        is_step = False


def _derivative(it: Interpreter, application: Application, node: ir.Expr, before: Begun) -> None:
    """A derivative is computed as it is, one operation after another."""
    operations = it.facts.array_operations - before.operations
    if it.frame.ambient is not Level.CONCRETE or operations < _FEW or not it.wants(EagerDerivative):
        return
    if it.frame.caveats.one_is_compiled:
        return  # slow where somebody asked for that
    target = application.target
    while isinstance(target, Transformed):
        if it.api.has(target.application.name, "keeps-programs"):
            return
        target = target.application.target
    function = underlying(target)
    if function is None or id(function.function) in it.tables[_Steps].looping:
        return
    loop = next(around(it, it.frame), None)
    if loop is not None and _at_each_pass(it, node.at):
        caller, this, _ = loop
        is_short = len(caller.passes) == 1 and loop_variance.is_few(it, caller, this, SHORT)
        place, reads = Place(caller.path, this.at), it.facts.host_reads > before.host_reads
        it.emit(EagerDerivative(it.frame, node.at, application.short_name, operations, place, is_short, reads))


# --- what each pass does


def _at_each_pass(it: Interpreter, at: int) -> bool:
    """Whether each pass of the loops around, of which the innermost is not known to be short, comes to a node."""
    frames = list(it.frame.known_callers())
    is_innermost = True
    for number, frame in enumerate(frames):
        for this in reversed(frame.passes):
            if not this.body or not kept_values.always_runs(it, this.body, at):
                return False
            if is_innermost and loop_variance.is_few(it, frame, this):
                return False
            is_innermost, at = False, this.at
        if not any(caller.passes for caller in frames[number + 1 :]):
            return True
        if frame.function is None or not kept_values.always_runs(it, frame.function.body, at):
            return False
        at = frame.call_at
    return True


def count_read(it: Interpreter, values: Iterable[Value]) -> None:
    """Count that Python asks for the numbers in an array, if one is among these."""
    atoms = (atom for value in values for atom in atoms_of(value))
    it.facts.host_reads += any(isinstance(atom, Array) and atom.level is not Level.HOST for atom in atoms)


def to_host(it: Interpreter, value: Value, at: int, node: ir.Expr) -> None:
    """Python asks for the number in an array, which the argument or receiver at `at` is."""
    frame = it.frame
    if frame.trace is not None or not frame.passes or not it.wants(HostSync):
        return
    this = frame.passes[-1]
    key = LoopKey(frame.serial, this.at)
    work = it.tables[_Steps].calls.get(key)
    if work is None or not this.body or not all(_is_result(atom, this) for atom in atoms_of(value)):
        return
    if kept_values.is_only_kept(it, this.body, node.at):
        _could_wait(it, key, Operand(value, frame, at), work, node)
    elif kept_values.always_runs(it, this.body, node.at):
        it.tables[_Steps].waiting.add(key)


def waited(it: Interpreter, at: int) -> None:
    """The code waits for the device on purpose: a number that the same pass asks for then is there, or soon is."""
    frame = it.frame
    if frame.trace is None and frame.passes and kept_values.always_runs(it, frame.passes[-1].body, at):
        it.tables[_Steps].waiting.add(LoopKey(frame.serial, frame.passes[-1].at))


def _could_wait(it: Interpreter, key: LoopKey, operand: Operand, work: Operand, node: ir.Expr) -> None:
    """A number is not needed yet: tell the rules, if nothing else makes the loop wait, and its passes are short.

    That is known from the second pass on. The first number that a pass asks for waits; what follows is there then.
    """
    table, frame = it.tables[_Steps], it.frame
    if _asks_for_number(frame, key.at) or not _at_each_pass(it, node.at):
        return
    if kept_values.decides(it, frame.passes[-1].body, node.at, operand.at):
        table.waiting.add(key)
    if not frame.iteration[-1] or key in table.long | table.waiting:
        return
    if table.first_waits.setdefault(key, node.at) == node.at:
        it.emit(HostSync(frame, node.at, operand, work, Place(frame.path, key.at)))


def _asks_for_number(frame: Frame, at: int) -> bool:
    """Whether the test of a `while` needs an array's value, so that each pass waits anyway."""
    loops = (part for part in walks.statements(frame.body) if isinstance(part, ir.While) and part.at == at)
    names = (part.id for loop in loops for part in walks.nodes(loop.test) if isinstance(part, ir.Name))
    held = (frame.state.env.get(name) for name in names)
    return any(isinstance(atom, Array) and atom.level for value in held if value for atom in atoms_of(value))


def _is_result(atom: Value, this: Pass) -> bool:
    """Whether something is an array that this pass computed."""
    made = ident_of(atom)
    return (
        isinstance(atom, Array | Leaves)
        and atom.level in (Level.CONCRETE, Level.ANY)
        and (made is None or made_at(made) > this.start)
    )


def handed_over(it: Interpreter, arguments: Arguments, node: ir.Expr) -> None:
    """Arrays are given to compiled code, or put on a device."""
    frame = it.frame
    if not frame.passes or not frame.iteration[-1] or not isinstance(node, ir.Call) or not it.wants(RepeatedTransfer):
        return
    this = frame.passes[-1]
    for value, at in zip(arguments.positional, arguments.positional_at):
        written = walks.expression_at(node, at)
        if not isinstance(written, ir.Name) or not all(map(_is_large_on_host, atoms_of(value))):
            continue
        is_target = this.target is not None and written.id in walks.target_names(this.target)
        if is_target or not this.body or not kept_values.is_left_alone(it, this.body, written.id, node):
            continue
        if is_eager(it) and _at_each_pass(it, node.at):
            function, loop = frame.module.text(node.func.at), Place(frame.path, this.at)
            it.emit(RepeatedTransfer(frame, at, Operand(value, frame, at), function, loop))


def _is_large_on_host(atom: Value) -> bool:
    if not isinstance(atom, Array) or atom.level is not Level.HOST:
        return False
    size = 1
    for length in atom.shape or (None,):
        if not isinstance(length, int):
            return atom.shape != ()
        size *= length
    return atom.shape != () and size >= SMALL
