"""Loops that draw the same numbers at each pass for a purpose: by what the source of the loop does with them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from jaxlint.analysis.source.dropped_results import is_wait
from jaxlint.analysis.source.joint_use import gives_numbers_only, is_replaced_unread, stays_in_pass
from jaxlint.analysis.source.reaching_definitions import Binding, known_bindings, names_learned
from jaxlint.analysis.typestate.swept_settings import swept_settings
from jaxlint.syntax import ir, walks

if TYPE_CHECKING:
    from jaxlint.analysis.domain.frames import Frame, Pass
    from jaxlint.analysis.machine.interpreter import Interpreter

_PARTS = "each iteration changes the part that `{0}` selects; all parts may need the same change"
_RESTART = "each iteration starts again from `{}`; its results may be compared"
_DROPPED = "each iteration waits for its result and discards it, as a benchmark does"
_REPLACED = "each iteration replaces what the one before computed, which nothing reads but the wait for it"
_APART = "nothing that an iteration computes is used by another one or behind the loop"
_PROGRESS = "each iteration measures `{}`, which changes from one to the next; equal numbers make them comparable"
_SETTINGS = "the iterations differ only in `{}`; equal numbers make them comparable"


def purpose(it: Interpreter, frame: Frame, call: ir.Call) -> str:
    """Why a call may be given the same key at each pass of the loop around it; empty where nothing says so."""
    origins = (_started_from(it, each, call) for each in reversed(frame.passes))
    origin = next(filter(None, origins), "")
    if origin:
        return _RESTART.format(origin)
    if not frame.passes:
        return ""
    this = frame.passes[-1]
    names = set(walks.target_names(this.target)) if this.target is not None else set()
    part = _part_of_one(this, call, names)
    if part:
        return _PARTS.format(part)
    unread = _unread(it, frame, this, call)
    if unread:
        return unread
    measured = _measured(it, frame, this, call)
    if measured:
        return _PROGRESS.format(measured)
    tried = names if _tries_settings(this, call, names) else swept_settings(it, frame, this, call)
    return _SETTINGS.format("`, `".join(sorted(tried))) if tried else ""


def _unread(it: Interpreter, frame: Frame, this: Pass, call: ir.Call) -> str:
    """Why no computation sees that the numbers of two passes are equal."""
    if _is_timed(this, call):
        return _DROPPED
    if is_replaced_unread(it, frame, this, call):
        return _REPLACED
    return _APART if stays_in_pass(it, frame, this, call) else ""


def _measured(it: Interpreter, frame: Frame, this: Pass, call: ir.Call) -> str:
    """What the loop learns, where a call is given that and only numbers for a person come out of the call."""
    given = sorted(set(walks.names(tuple(_arguments(call)))) & names_learned(this))
    return given[0] if given and gives_numbers_only(it, frame, this, call) else ""


def _started_from(it: Interpreter, this: Pass, call: ir.Call) -> str:
    """What a pass binds the key's name to, before it draws from it and binds it to the next key."""
    for given in _arguments(call):
        if not isinstance(given, ir.Name):
            continue
        bound = known_bindings(it, this.body, given.id)
        first = bound[0] if len(bound) > 1 else None
        if first is not None and first.always and first.statement.at < call.at:
            origin = walks.dotted(_bound_to(first, given.id))
            if origin:
                return origin
    return ""


def _bound_to(binding: Binding, name: str) -> ir.Expr | None:
    """What a name is bound to, alone or in `a, b = x, y`."""
    match binding:
        case Binding(
            statement=ir.Assign(targets=(ir.SequenceDisplay(elements=targets),)),
            value=ir.SequenceDisplay(elements=values),
        ) if len(targets) == len(values):
            return next((v for t, v in zip(targets, values) if isinstance(t, ir.Name) and t.id == name), None)
        case _:
            return binding.value


def _part_of_one(this: Pass, call: ir.Call, names: set[str]) -> str:
    """The loop's variable, where a call is given the part of a thing under it, and the result is put there again."""
    taken = {
        part.index[0].id
        for given in _arguments(call)
        for part in walks.nodes(given)
        if isinstance(part, ir.Subscript) and len(part.index) == 1 and isinstance(part.index[0], ir.Name)
    }
    for name in sorted(taken & names):
        if any(_puts(node, name, call.at) for node in walks.nodes(this.body)):
            return name
    return ""


def _puts(node: Any, name: str, at: int) -> bool:
    """Whether the value of the call at a node is put under a name: `d[name] = ...`, `{name: ...}`."""
    match node:
        case ir.Assign(targets=(ir.Subscript(index=(ir.Name(id=found),)),), value=value) if found == name:
            return at in walks.ordinals(value)
        case ir.DictDisplay(items=items):
            keyed = (value for key, value in items if isinstance(key, ir.Name) and key.id == name)
            return any(at in walks.ordinals(value) for value in keyed)
        case _:
            return False


def _is_timed(this: Pass, call: ir.Call) -> bool:
    """Whether what the call gives is waited for, and then thrown away."""
    for statement in walks.statements(this.body):
        if isinstance(statement, ir.ExpressionStatement) and isinstance(statement.value, ir.Call):
            wait = statement.value
            if isinstance(wait.func, ir.Attribute) and is_wait(wait):
                waited = wait.args[0] if wait.args else wait.func.base
                return waited.at == call.at
    return False


def _tries_settings(this: Pass, call: ir.Call, names: set[str]) -> bool:
    """Whether a loop goes over numbers or texts that stand in it, and keeps none of the draws for the next pass."""
    if not names or not _are_settings(this.iter):
        return False
    if not any(isinstance(node, ir.Name) and node.id in names for node in walks.nodes(this.body)):
        return False
    statement = next((s for s in this.body if call.at in walks.ordinals(s)), None)
    drawn = set[str]()
    if isinstance(statement, ir.Assign) and statement.value.at == call.at:
        drawn = {name for target in statement.targets for name in walks.target_names(target)}
    return not any(_keeps(node, drawn, call.at) for node in walks.nodes(this.body))


def _are_settings(node: ir.Expr | None) -> bool:
    """Whether an expression lists numbers or texts."""
    if not isinstance(node, ir.SequenceDisplay) or not node.elements:
        return False
    return all(isinstance(part, ir.Constant | ir.UnaryOperation) for part in node.elements)


def _keeps(node: Any, drawn: set[str], at: int) -> bool:
    """Whether a draw itself goes into a container or a variable that an earlier pass has set."""
    match node:
        case ir.Call(func=ir.Attribute(attr="append" | "add" | "extend" | "insert"), args=args):
            return any(_is_draw(given, drawn, at) for given in args)
        case ir.Assign(targets=targets, value=value):
            into = any(isinstance(target, ir.Subscript) for target in targets)
            own = {name for target in targets for name in walks.target_names(target)}
            carried = {part.id for part in walks.nodes(value) if isinstance(part, ir.Name)} & own
            return (into and _is_draw(value, drawn, at)) or bool(carried)
        case ir.AugmentedAssign():
            return True
        case _:
            return False


def _is_draw(node: ir.Expr, drawn: set[str], at: int) -> bool:
    return node.at == at or (isinstance(node, ir.Name) and node.id in drawn)


def _arguments(call: ir.Call) -> Iterator[ir.Expr]:
    yield from call.args
    yield from (value for _, value in call.keywords)
