"""Layers of nnx that change when they run: statistics of batches, counts of random streams.

As measured on Flax 0.12.8, such a layer raises TraceContextError where a traced function closes over it, whether the
transform is of JAX or of nnx; as an argument of a transform of JAX, a copy changes. Flax 0.10.4 leaks a tracer.

Under-approximates: only layers whose maker is in sight, and not where something may have put them in evaluation mode.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from jaxlint.analysis.domain.application import short_name, underlying
from jaxlint.analysis.domain.idents import made_at
from jaxlint.analysis.domain.values import Arguments, FunctionValue, Level, Made, Origin, Static
from jaxlint.analysis.events.event import Operand
from jaxlint.analysis.events.frameworks import EscapingState
from jaxlint.analysis.jax.traced_arguments import bound_idents
from jaxlint.analysis.machine import dependencies
from jaxlint.analysis.machine.tables import memoised
from jaxlint.analysis.python.library_names import named_in
from jaxlint.analysis.source import reaching_definitions
from jaxlint.analysis.source.ownership import root_name
from jaxlint.syntax import ir, walks

if TYPE_CHECKING:
    from jaxlint.analysis.domain.frames import Frame, Trace
    from jaxlint.analysis.machine.interpreter import Interpreter

#: Methods that change the mode of layers, or make others that share their state.
_CHANGES_MODE = frozenset({"eval", "set_attributes", "view", "set_mode"})


def called(it: Interpreter, receiver: Made, name: str, arguments: Arguments, node: ir.Expr) -> None:
    """A layer runs in a trace: tell the rules where its change is refused, or does not reach its owner."""
    trace = it.frame.trace
    if trace is None or not it.wants(EscapingState) or not it.api.has(f"{receiver.cls}.{name}", "changes-itself"):
        return
    if it.frame.caveats.assumed or receiver.ident is None or made_at(receiver.ident) >= trace.entry:
        return
    if "rngs" in arguments.keywords:
        return  # the streams that it is given change in its stead
    modules = {id(caller.module): caller.module for caller in it.frame.callers()}.values()
    may_change = any(_may_change_mode(it, module.source.module.body) for module in modules)
    if may_change or not _is_training(receiver, arguments):
        return
    dependencies.change(it.recordings, made_at(receiver.ident))  # each call of what runs it stands for itself
    frame, at = _in_traced_function(it, trace, node.at)
    is_refused = not (_is_lifted_by(receiver.origin, trace) or _is_given_to_all(receiver, trace))
    if _is_closed_over(it, frame, at) if is_refused else _drops_changes(it, trace):
        layer = Operand(receiver, it.frame, node.func.at if isinstance(node, ir.Call) else node.at)
        it.emit(EscapingState(frame, at, layer, short_name(trace.transform), is_refused))


def _in_traced_function(it: Interpreter, trace: Trace, at: int) -> tuple[Frame, int]:
    """The call in the traced function itself that leads to an operation, with the frame it stands in."""
    frame = it.frame
    while frame is not trace.body and frame.caller is not None and frame.caller.trace is trace:
        frame, at = frame.caller, frame.call_at
    return frame, at


def _is_closed_over(it: Interpreter, frame: Frame, at: int) -> bool:
    """Whether what a traced function calls is taken from around it: an argument may be one that is not lifted."""
    call = reaching_definitions.call_at(it, frame, at)
    name = None if call is None else root_name(call.func)
    return name is not None and name not in frame.scope.bound


def _is_training(receiver: Made, arguments: Arguments) -> bool:
    """Whether no flag, where it was made or where it is called, says that it only evaluates."""
    given: dict[str, Any] = dict(receiver.options)
    for name in ("use_running_average", "deterministic"):
        value = arguments.keywords.get(name)
        if value is not None:
            given[name] = value.value if isinstance(value, Static) and value.known else "?"
    return all(given.get(name) in (None, False) for name in ("use_running_average", "deterministic"))


@memoised
def _may_change_mode(_: Interpreter, body: ir.Block) -> bool:
    return any(isinstance(part, ir.Attribute) and part.attr in _CHANGES_MODE for part in walks.nodes(body))


def _is_lifted_by(origin: Origin | None, trace: Trace) -> bool:
    """Whether a transform was given an object as an argument, by its evidence."""
    while origin is not None:
        if origin is trace.origin:
            return True
        origin = origin.parent
    return False


def _is_given_to_all(receiver: Made, trace: Trace) -> bool:
    """Whether a mapped function gets an object as an argument that has no axis: it is copied all the same."""
    bound = frozenset() if trace.application is None else bound_idents(trace.application.target)
    return trace.level is Level.MAPPED and receiver.ident in trace.unmapped - bound


def _drops_changes(it: Interpreter, trace: Trace) -> bool:
    """Whether a transform of JAX runs a function of the project that gives nothing back of its parameters."""
    target = None if trace.application is None else underlying(trace.application.target)
    if trace.merges_objects or trace.is_uncalled or target is None or not it.api.is_of(trace.transform, "core"):
        return False
    own = {parameter.name for parameter in target.function.parameters}
    returned = (part.value for part in walks.nodes(target.function.body) if isinstance(part, ir.Return))
    return own.isdisjoint(name for value in returned for name in _handed_back(it, target, value))


def _handed_back(it: Interpreter, function: FunctionValue, value: ir.Expr | None) -> Iterator[str]:
    """The names that a function returns, in containers too, or the states of which a framework takes for it."""
    match value:
        case ir.Name(id=name):
            yield name
        case ir.SequenceDisplay(elements=elements):
            for element in elements:
                yield from _handed_back(it, function, element)
        case ir.DictDisplay(items=items):
            for _, item in items:
                yield from _handed_back(it, function, item)
        case ir.Call(func=func, args=args) if it.api.has(named_in(it, function, func), "merges-objects"):
            for argument in args:
                yield from _handed_back(it, function, argument)
