"""What all processes of a run on several hosts have to do together, done where only some of them come to."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from jaxlint.analysis.domain.findings import Place
from jaxlint.analysis.domain.sharding_values import Mesh, Sharding
from jaxlint.analysis.domain.values import Arguments, Static, Value
from jaxlint.analysis.events.sharding import DivergentCall
from jaxlint.analysis.machine import path_conditions
from jaxlint.analysis.machine.tables import Table, memoised
from jaxlint.analysis.typestate import placements
from jaxlint.syntax import ir, walks
from jaxlint.syntax.blocks import blocks

if TYPE_CHECKING:
    from jaxlint.analysis.domain.application import Application
    from jaxlint.analysis.domain.frames import Frame
    from jaxlint.analysis.machine.interpreter import Interpreter


@dataclass(slots=True)
class _Communicating(Table):
    """Functions that transforms made and that communicate between devices, by the serial number of their making."""

    made: set[int] = field(default_factory=set)


def library_call(it: Interpreter, name: str, node: ir.Expr) -> None:
    """A function of JAX is called behind a test of the process."""
    if it.api.has(name, "all-processes"):
        _tell(it, node, is_sure=True)
    elif it.api.has(name, "communicates") and _is_over_devices(it):
        _tell(it, node, is_sure=True, in_trace=True)  # a test around the trace is told where that starts


def called(it: Interpreter, application: Application, arguments: Arguments, node: ir.Expr) -> None:
    """A transformed function is called behind a test of the process, and may run on the devices of all."""
    if it.frame.trace is None and _runs_everywhere(it, application, arguments):
        # What XLA makes of arrays that are split is not seen; it need not communicate.
        _tell(it, node, is_sure=_maps_devices(it, application.name))


def _is_over_devices(it: Interpreter) -> bool:
    """Whether an axis that communication could go along is one of devices, which is noted: those of `vmap` are not."""
    trace, found = it.frame.trace, False
    while trace is not None:
        if trace.application is not None and _maps_devices(it, trace.application.name):
            it.tables[_Communicating].made.add(trace.application.made)
            found = True
        trace = trace.parent
    return found


def _maps_devices(it: Interpreter, transform: str) -> bool:
    return it.api.has(transform, "per-device") or it.api.has(transform, "splits")


def _runs_everywhere(it: Interpreter, application: Application, arguments: Arguments) -> bool:
    """Whether a compiled function surely runs on devices of all processes."""
    given = application.arguments
    if _maps_devices(it, application.name) and application.made not in it.tables[_Communicating].made:
        return False  # each device works by itself
    if it.api.has(application.name, "per-device"):
        return given.get(None, "devices") is None and given.get(None, "backend") is None and not given.extra
    if it.api.has(application.name, "splits"):
        return _is_global(given.get(None, "mesh"))
    if not it.api.has(application.name, "keeps-programs"):
        return False
    declared = (given.get(None, name) for name in ("in_shardings", "out_shardings"))
    placed = (placements.of(it, value) for value in arguments.all())
    on = [where.on for where in placed if where is not None]
    return any(map(_is_global, declared)) or any(isinstance(each, Mesh) and each.is_global for each in on)


def _is_global(value: Value | None) -> bool:
    known = value.value if isinstance(value, Static) else None
    mesh = known.mesh if isinstance(known, Sharding) else known
    return isinstance(mesh, Mesh) and mesh.is_global


def _tell(it: Interpreter, node: ir.Expr, *, is_sure: bool, in_trace: bool = False) -> None:
    divided = it.frame.caveats.divided
    if divided is None or not it.wants(DivergentCall):
        return
    if path_conditions.mention(it.frame, ".process_count") or path_conditions.mention(it.frame, "process_count"):
        return  # one process is all
    found = _way_here(it.frame, divided, node)
    if found is None:
        return
    frame, call = found
    if in_trace and frame.trace is None:
        return
    test = _test_at(it, frame.body, divided[1])
    if test is None or _called_elsewhere(frame, test, call):
        return
    function = it.frame.module.text(node.at).partition("(")[0]
    place, condition = Place(*divided), frame.module.text(divided[1])
    it.emit(DivergentCall(it.frame, node.at, function, place, condition, is_sure))


def _way_here(frame: Frame, divided: tuple[str, int], node: ir.Expr) -> tuple[Frame, int] | None:
    """The invocation that the test stands in, and the call in it that leads here."""
    at = node.at
    path, _ = divided
    for each in frame.callers():
        if each.path == path and any(condition.divides == divided[1] for condition in each.conditions):
            return each, at
        at = each.call_at
    return None


@memoised
def _test_at(it: Interpreter, body: ir.Block, at: int) -> ir.If | ir.Expr | None:
    """The `if`, or the expression, that a test decides."""
    for statement in walks.statements(body):
        if isinstance(statement, ir.If) and at in walks.ordinals(statement.test):
            return statement
    return next((node for node in walks.nodes(body) if _decides(node, at)), None)


def _decides(node: object, at: int) -> bool:
    match node:
        case ir.Conditional(test=test):
            return at in walks.ordinals(test)
        case ir.BooleanOperation(operands=operands):
            return any(at in walks.ordinals(operand) for operand in operands)
        case _:
            return False


def _called_elsewhere(frame: Frame, test: ir.If | ir.Expr, call: int) -> bool:
    """Whether the processes that the test sends another way call the same function there."""
    ours, others = _sides(frame.body, test, call)
    name = next((_name(node) for node in walks.nodes(ours) if isinstance(node, ir.Call) and node.at == call), "")
    return not name or any(_name(node) == name for node in walks.nodes(others) if isinstance(node, ir.Call))


def _name(call: ir.Call) -> str:
    return walks.spelling(call.func).lstrip(".")


def _sides(body: ir.Block, test: ir.If | ir.Expr, call: int) -> tuple[object, object]:
    """The code that leads to a call behind a test, and what runs in its place."""
    if not isinstance(test, ir.If):
        return test, ()
    if call in walks.ordinals(test.body):
        return test.body, (test.orelse, _rest(body, test) if _leaves(test.body) else ())
    if call in walks.ordinals(test.orelse):
        return test.orelse, (test.body, _rest(body, test) if _leaves(test.orelse) else ())
    return _rest(body, test), (test.body if _leaves(test.body) else test.orelse)


def _leaves(block: ir.Block) -> bool:
    return bool(block) and isinstance(block[-1], ir.Return | ir.Raise | ir.Jump)


def _rest(body: ir.Block, statement: ir.Stmt) -> ir.Block:
    """The statements behind one, in its block and in those around."""
    return tuple(_behind(body, statement) or ())


def _behind(body: ir.Block, statement: ir.Stmt) -> Iterator[ir.Stmt] | None:
    for number, each in enumerate(body):
        if each is statement:
            return iter(body[number + 1 :])
        for block in blocks(each):
            inner = _behind(block, statement)
            if inner is not None:
                return iter((*inner, *body[number + 1 :]))
    return None
