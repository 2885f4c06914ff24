"""Optimizers of Optax: what they are asked for, and whether their states and the parameters are handed on.

Under-approximates: a state or parameters that something was computed of are left alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

from jaxlint.analysis.domain.idents import Ident
from jaxlint.analysis.domain.values import (
    Arguments,
    Array,
    Atom,
    Leaves,
    Made,
    Object,
    Static,
    Tuple,
    Unknown,
    Value,
    atoms_of,
    is_none,
)
from jaxlint.analysis.events.event import Operand
from jaxlint.analysis.events.optimizers import StaleTraining, StateReturned, UpdateWithoutParams
from jaxlint.analysis.jax import complex_gradients, handed_on
from jaxlint.analysis.jax.tree_nodes import node_of
from jaxlint.analysis.machine.tables import Table
from jaxlint.analysis.machine.tree_leaves import MAX_NESTING
from jaxlint.syntax import ir, walks

if TYPE_CHECKING:
    from jaxlint.analysis.domain.frames import Trace
    from jaxlint.analysis.machine.interpreter import Interpreter
    from jaxlint.jaxapi.rows import ObjectRow

#: What an optimizer is known to do, as an option of the object.
_READS, _HAS_STATE, _RUNS_OTHERS = "reads-params", "has-state", "runs-others"

Idents = tuple[Ident, ...]


class _Use(NamedTuple):
    """An operand where it was last used in an invocation: which pass of each loop that was, and what it held."""

    iteration: tuple[int, ...]
    idents: Idents


class _Update(NamedTuple):
    """A call of `update`: the pass, whether its state is that of the pass before, where it is, and the state."""

    iteration: tuple[int, ...]
    is_stale: bool | None
    at: int
    given: Operand
    state: Idents
    new: Idents


@dataclass(slots=True)
class _Training(Table):
    """What loops hand on, by invocation and operation; `updates` is the last call of `update` of each invocation."""

    uses: dict[tuple[int, int], _Use] = field(default_factory=dict)
    updates: dict[int, _Update] = field(default_factory=dict)


def idents(it: Interpreter, tree: Value | None, depth: int = 0) -> Iterator[Ident]:
    """The identities of the arrays in a tree."""
    for atom in () if tree is None or depth > MAX_NESTING else atoms_of(tree):
        if isinstance(atom, Array | Leaves):
            yield atom.ident
        else:
            node = node_of(it, atom)
            for part in node.parts.values() if node is not None else ():
                yield from idents(it, part, depth + 1)


def made(it: Interpreter, row: ObjectRow, arguments: Arguments, value: Value) -> Value:
    """An optimizer as its maker makes it: what it reads and keeps, it does by itself or by those that it is made of."""
    if not isinstance(value, Made) or not it.api.has(f"{value.cls}.update", "applies-gradients"):
        return value
    inner = [part for given in arguments.all() for part in _parts(it, given)]
    options = {option for part in inner for option in part.options if option[0] in (_READS, _HAS_STATE, _RUNS_OTHERS)}
    if any(map(_is_of_others, (atom for given in arguments.all() for atom in _below(it, given)))):
        options.add((_RUNS_OTHERS, True))
    options.update((option, True) for option in (_READS, _HAS_STATE) if _does(it, row.name, option))
    if _keeps_momentum(it, row.name, arguments) or any(it.api.has(part.cls, "counts-steps") for part in inner):
        options.add((_HAS_STATE, True))
    return replace(value, options=value.options | options)


def _below(it: Interpreter, value: Value, depth: int = 0) -> Iterator[Atom]:
    for atom in atoms_of(value) if depth <= MAX_NESTING else ():
        node = node_of(it, atom)
        if node is None:
            yield atom
        else:
            for part in node.parts.values():
                yield from _below(it, part, depth + 1)


def _is_of_others(atom: Atom) -> bool:
    """Whether an optimizer may be made of what nobody knows to leave its gradients unconjugated."""
    return not isinstance(atom, Static | Array | Made)


def _does(it: Interpreter, name: str, option: str) -> bool:
    return it.api.has(name, "reads-params") if option == _READS else it.api.has(name, "has-state")


def _keeps_momentum(it: Interpreter, name: str, arguments: Arguments) -> bool:
    """Whether an optimizer keeps a state for the momentum that it is given, and would keep none without."""
    momentum = arguments.get(1, "momentum") if it.api.has(name, "keeps-momentum") else None
    atoms = () if momentum is None else atoms_of(momentum)
    return bool(atoms) and not any(isinstance(atom, Unknown) or is_none(atom) for atom in atoms)


def _parts(it: Interpreter, value: Value) -> Iterator[Made]:
    if isinstance(value, Made):
        yield value
    elif isinstance(value, Tuple | Object):
        node = node_of(it, value)
        for part in node.parts.values() if node is not None else ():
            yield from _parts(it, part)


def updated(it: Interpreter, receiver: Value, arguments: Arguments, result: Value, node: ir.Expr) -> None:
    """`optimizer.update(grads, state, params)` was called."""
    if not isinstance(receiver, Made):
        return
    options = dict(receiver.options)
    if it.wants(StaleTraining) and handed_on.are_never_applied(it, node):
        it.emit(StaleTraining(it.frame, node.at, "updates", handed_on.first_target(it, node)))
    if not options.get(_RUNS_OTHERS) and isinstance(node, ir.Call):
        complex_gradients.given(it, arguments, node)
    if not options:
        return
    params = arguments.get(2, "params")
    lacks_params = not arguments.extra and (params is None or (isinstance(params, Static) and is_none(params)))
    if lacks_params and options.get(_READS) and isinstance(node, ir.Call) and it.wants(UpdateWithoutParams):
        name = it.frame.module.text(node.func.at).removesuffix(".update")
        it.emit(UpdateWithoutParams(it.frame, node.at, name))
    state = arguments.get(1, "state")
    if not options.get(_HAS_STATE) or state is None:
        return
    at = arguments.at(1, "state")
    given = Operand(state, it.frame, at if at >= 0 else node.at)
    held = tuple(idents(it, state))
    new = tuple(idents(it, result.elements[1])) if isinstance(result, Tuple) and len(result.elements) == 2 else ()
    is_stale = _is_as_before(it, node.at, held)
    if it.wants(StaleTraining):
        for frame, at, written in handed_on.left_behind(it, node, given.at):
            it.emit(StaleTraining(frame, at, "state", frame.module.text(written)))
    it.tables[_Training].updates[it.frame.serial] = _Update(it.frame.iteration, is_stale, node.at, given, held, new)


def applied(it: Interpreter, arguments: Arguments, node: ir.Expr) -> None:
    """`optax.apply_updates(params, updates)` was called: of state and parameters, a loop hands on both or none."""
    if not it.wants(StaleTraining):
        return
    update = it.tables[_Training].updates.get(it.frame.serial)
    written = walks.expression_at(node, arguments.at(0, "params"))
    for frame, at, params in handed_on.in_loop_around(it, written) if written is not None else ():
        it.emit(StaleTraining(frame, at, "params", frame.module.text(params)))
    held = tuple(idents(it, arguments.first))
    is_stale = _is_as_before(it, node.at, held)
    if update is None or update.iteration != it.frame.iteration or None in (is_stale, update.is_stale):
        return
    if is_stale == update.is_stale:
        return
    if update.is_stale:
        it.emit(StaleTraining(it.frame, update.at, "state", update.given.text))
    else:
        at = arguments.at(0, "params")
        it.emit(StaleTraining(it.frame, node.at, "params", it.frame.module.text(at if at >= 0 else node.at)))


def _is_as_before(it: Interpreter, at: int, held: Idents) -> bool | None:
    """Whether the pass before of the innermost loop used the very same arrays here; None where that is not known."""
    frame = it.frame
    uses, key = it.tables[_Training].uses, (frame.serial, at)
    before = uses.get(key)
    uses[key] = _Use(frame.iteration, held)
    if before is None or not held or None in held or None in before.idents:
        return None
    if before.iteration == frame.iteration or before.iteration[:-1] != frame.iteration[:-1]:
        return None
    return before.idents == held


def finished(it: Interpreter, trace: Trace, result: Value) -> None:
    """A compiled function is done: what it returns of the optimizer that it ran."""
    body = trace.body
    update = None if body is None else it.tables[_Training].updates.get(body.serial)
    if update is None or body is None or not it.wants(StateReturned) or None in update.state:
        return
    returned = set(idents(it, result))
    is_kept = bool(update.state) and returned > set(update.state)
    if is_kept and not returned.intersection(update.new):
        it.emit(StateReturned(update.given.frame, update.at, update.given.text))
