"""What each device computes of its own part of a batch, and whether something brings the parts together.

Under-approximates: a gradient or a loss that anything was computed of is left alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from jaxlint.analysis.domain.application import function_label, underlying
from jaxlint.analysis.domain.idents import Ident
from jaxlint.analysis.domain.values import (
    Array,
    DictCell,
    Leaves,
    Level,
    Object,
    Tuple,
    Value,
    atoms_of,
)
from jaxlint.analysis.events.sharding import MissingCollective, ShardLoss
from jaxlint.analysis.jax.differentiation import flag
from jaxlint.analysis.jax.tree_nodes import node_of
from jaxlint.analysis.machine.run_facts import ShardLosses
from jaxlint.analysis.machine.tables import Table

if TYPE_CHECKING:
    from jaxlint.analysis.domain.application import Application
    from jaxlint.analysis.domain.frames import Trace
    from jaxlint.analysis.machine.interpreter import Interpreter
    from jaxlint.syntax import ir


@dataclass(slots=True)
class _Local(Table):
    """What was computed on one device alone: gradients and losses by identity, with the function that they are of.

    `updates` are those that parameters are changed by, by the serial number of the trace, each with how many
    collectives of trees ran before it.
    """

    gradients: dict[Ident, str] = field(default_factory=dict)
    losses: dict[Ident, str] = field(default_factory=dict)
    updates: dict[int, list[tuple[MissingCollective, int]]] = field(default_factory=dict)


def _trace_of_devices(it: Interpreter) -> Trace | None:
    """The trace around of a function that runs once for each device, along an axis that has a name."""
    trace = it.frame.trace
    while trace is not None and not it.api.has(trace.transform, "per-device"):
        trace = trace.parent
    return trace if trace is not None and trace.axes else None


def differentiated(it: Interpreter, application: Application, before: int, outcome: Value) -> None:
    """A function was differentiated: what comes of it on each device is of that device's data.

    Unless a collective ran in it: `before` is how many there were before.
    """
    if it.facts.collectives != before:
        return
    if not (it.wants(MissingCollective) or it.wants(ShardLoss)) or _trace_of_devices(it) is None:
        return
    function = underlying(application.target)
    has_aux = flag(it, application, "has_aux")
    if function is None or has_aux is None:
        return
    loss, gradient = _parts(application, outcome, has_aux)
    local, label = it.tables[_Local], function_label(function)
    local.gradients.update(dict.fromkeys(_idents(it, gradient), label))
    local.losses.update(dict.fromkeys(_idents(it, loss), label))


def _parts(application: Application, outcome: Value, has_aux: bool) -> tuple[Value | None, Value | None]:
    """The loss and the gradient in what a gradient function gives."""
    with_value = application.row.result.head == "tuple"
    if not with_value and not has_aux:
        return None, outcome
    if not isinstance(outcome, Tuple) or len(outcome.elements) != 2:
        return None, None
    first, second = outcome.elements
    if not with_value:
        return None, first
    if not has_aux:
        return first, second
    return (first.elements[0] if isinstance(first, Tuple) and first.elements else None), second


def _idents(it: Interpreter, tree: Value | None, depth: int = 0) -> Iterator[Ident]:
    """The identities of the arrays in a tree."""
    for atom in () if tree is None or depth > 6 else atoms_of(tree):
        if isinstance(atom, Array | Leaves) and atom.ident is not None:
            yield atom.ident
        else:
            node = node_of(it, atom)
            for part in node.parts.values() if node is not None else ():
                yield from _idents(it, part, depth + 1)


def updated(it: Interpreter, trees: Iterable[Value], node: ir.Expr) -> None:
    """Parameters are changed by what may be a gradient: of one device alone, unless a collective runs later."""
    trace = _trace_of_devices(it) if it.wants(MissingCollective) else None
    if trace is None or not trace.axes:
        return
    local = it.tables[_Local]
    idents = (ident for tree in trees for ident in _idents(it, tree))
    label = next((local.gradients[ident] for ident in idents if ident in local.gradients), None)
    if label is not None:
        event = MissingCollective(it.frame, node.at, trace, label, min(trace.axes))
        local.updates.setdefault(trace.entry, []).append((event, it.facts.tree_collectives))


def finished(it: Interpreter, trace: Trace, before: int, result: Value, outcome: Value) -> None:
    """A function that runs once for each device is done: `before` is how many collectives ran before it."""
    updates = it.tables[_Local].updates.pop(trace.entry, [])
    body = trace.body
    if not it.api.has(trace.transform, "per-device") or body is None or body.pending.is_partial:
        return
    alone = [event for event, ran in updates if ran == it.facts.tree_collectives]
    for event in alone:
        it.emit(event)
    if it.facts.collectives != before and not alone:
        _note_losses(it, result, outcome)


def _note_losses(it: Interpreter, result: Value, outcome: Value, depth: int = 0) -> None:
    """Remember which results are the losses of the devices, as they are: the gradients were brought together."""
    if isinstance(result, Tuple) and isinstance(outcome, Tuple):
        for inner, outer in zip(result.elements, outcome.elements):
            _note_losses(it, inner, outer, depth + 1)
    elif isinstance(result, Object) and isinstance(outcome, Object) and depth < 6:
        inside, outside = it.cell(result), it.cell(outcome)
        if isinstance(inside, DictCell) and isinstance(outside, DictCell):
            for key, part in inside.items.items():
                if key in outside.items:
                    _note_losses(it, part, outside.items[key], depth + 1)
    elif isinstance(result, Array) and isinstance(outcome, Array) and outcome.level < Level.GRAD:
        label = it.tables[_Local].losses.get(result.ident)
        if label is not None:
            it.tables[ShardLosses].labels[outcome.ident] = label
