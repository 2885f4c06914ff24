"""What a call of an optimizer gives, as the source hands it on: to names that are read, and to the next step."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from jaxlint.analysis.machine import dependencies
from jaxlint.analysis.machine.tables import memoised
from jaxlint.analysis.source import reaching_definitions, test_context
from jaxlint.syntax import ir, walks

if TYPE_CHECKING:
    from jaxlint.analysis.domain.frames import Frame
    from jaxlint.analysis.machine.interpreter import Interpreter

#: Through so many calls a state is followed to the loop that keeps it.
_MOST_CALLS = 3


def are_never_applied(it: Interpreter, update: ir.Expr) -> bool:
    """Whether nothing reads the name that the updates of a call get."""
    name = first_target(it, update)
    return bool(name) and not name.startswith("_") and not test_context.is_test(it.frame) and _is_unread(it, name)


def first_target(it: Interpreter, update: ir.Expr) -> str:
    """The name that the updates get; empty where they get none."""
    pair = _pair(it, it.frame.body, update.at)
    return pair[0].id if pair is not None and isinstance(pair[0], ir.Name) else ""


def _is_unread(it: Interpreter, name: str) -> bool:
    return name in it.frame.scope.bound and _mentions(it, it.frame.body, name) == 1


@memoised
def _mentions(_: Interpreter, body: ir.Block, name: str) -> int:
    return sum(isinstance(part, ir.Name) and part.id == name for part in walks.nodes(body))


def _pair(it: Interpreter, body: ir.Block, call: int) -> tuple[ir.Expr, ir.Expr] | None:
    """What the two results of a call are assigned to."""
    targets = reaching_definitions.unpacked_into(it, body, call)
    return (targets[0], targets[1]) if targets is not None and len(targets) == 2 else None


def left_behind(it: Interpreter, update: ir.Expr, state: int) -> Iterator[tuple[Frame, int, int]]:
    """Calls after which the state that an update was given is used again: the frame, the call, and the state in it."""
    written = walks.expression_at(update, state)
    if written is None:
        return
    if _is_kept_by_object(it, update, written):
        yield it.frame, update.at, written.at
    yield from in_loop_around(it, written)


def in_loop_around(it: Interpreter, state: ir.Expr) -> Iterator[tuple[Frame, int, int]]:
    """A call in a loop around that gives the loop its new parameters, but leaves the state as it is; or the reverse."""
    frame = it.frame
    for _ in range(_MOST_CALLS):
        if not isinstance(state, ir.Name) or not _is_parameter(frame, state.id):
            return
        argument = reaching_definitions.argument_for(it, frame, state.id)
        call_at, caller = frame.call_at, frame.caller
        if argument is None or caller is None:
            return
        dependencies.change(it.recordings, caller.serial)  # each call of it stands for itself
        call = reaching_definitions.call_at(it, caller, call_at)
        if call is not None and caller.passes and _goes_on_without(caller, call, argument):
            yield caller, call_at, argument.at
            return
        frame, state = caller, argument


def _is_parameter(frame: Frame, name: str) -> bool:
    return frame.function is not None and any(each.name == name for each in frame.function.parameters)


def _goes_on_without(frame: Frame, call: ir.Call, state: ir.Expr) -> bool:
    """Whether the loop around a call is given the new value of another argument, but not of this one."""
    this, kept = frame.passes[-1], walks.dotted(state)
    if not kept or this.known_count == 1 or not this.body:
        return False
    stores = [each for part in walks.nodes(this.body) for each in walks.assignment_targets(part)]
    stored = {walks.dotted(part) for each in stores for part in _parts(each)}
    if this.target is not None:
        stored.update(walks.target_names(this.target))
    if any(kept == name or kept.startswith(f"{name}.") for name in stored if name):
        return False
    given = {walks.dotted(value) for value in (*call.args, *(value for _, value in call.keywords))} - {kept, ""}
    return any(not given.isdisjoint(new) for new in _new_values(this.body, call))


def _new_values(body: ir.Block, call: ir.Call) -> Iterator[set[str]]:
    """The names that what a call gives is assigned to."""
    for part in walks.nodes(body):
        if isinstance(part, ir.Assign) and part.value.at == call.at:
            yield {walks.dotted(each) for target in part.targets for each in _parts(target)}


def _parts(target: ir.Expr) -> Iterator[ir.Expr]:
    if isinstance(target, ir.SequenceDisplay):
        for element in target.elements:
            yield from _parts(element)
    else:
        yield target


# --- states that an object keeps


def _is_kept_by_object(it: Interpreter, update: ir.Expr, state: ir.Expr) -> bool:
    """Whether a method updates with a state that its object keeps, and drops the new one: `updates, _ = ...`."""
    frame = it.frame
    if frame.cls is None or frame.function is None or not frame.function.parameters or frame.trace is not None:
        return False
    kept, receiver = walks.dotted(state), frame.function.parameters[0].name
    return kept.startswith(f"{receiver}.") and _drops_state(it, update) and not _is_set(it, frame, kept)


def _drops_state(it: Interpreter, update: ir.Expr) -> bool:
    """Whether the new state gets a name that says that nobody wants it, or one that nobody reads."""
    pair = _pair(it, it.frame.body, update.at)
    second = None if pair is None else pair[1]
    return isinstance(second, ir.Name) and (second.id.startswith("_") or _is_unread(it, second.id))


def _is_set(it: Interpreter, frame: Frame, kept: str) -> bool:
    """Whether a method sets an attribute, or hands its object to other code that may."""
    receiver, _, _ = kept.partition(".")
    for part in walks.nodes(frame.body):
        if isinstance(part, ir.Attribute) and walks.dotted(part) == kept and part.at in _targets(it, frame.body):
            return True
        if isinstance(part, ir.Call) and any(isinstance(a, ir.Name) and a.id == receiver for a in part.args):
            return True
    return False


@memoised
def _targets(_: Interpreter, body: ir.Block) -> frozenset[int]:
    return frozenset(target.at for part in walks.nodes(body) for target in walks.assignment_targets(part))
