"""Attributes that a test narrows: `if self.cache is None`, `isinstance(model.weights, list)`."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from jaxlint.analysis.domain.values import Cell, InstanceCell, Object, Value
from jaxlint.analysis.machine.tables import Table
from jaxlint.syntax import ir

if TYPE_CHECKING:
    from jaxlint.analysis.domain.state import State
    from jaxlint.analysis.machine.interpreter import Interpreter


@dataclass(slots=True)
class _Narrowed(Table):
    """Cells that a test put in the place of others: (object, before, since), in the order of the tests."""

    cells: list[tuple[int, Cell, Cell]] = field(default_factory=list)


def held(it: Interpreter, node: ir.Attribute) -> Value | None:
    """What an attribute of a known object holds; None where it may be computed, or the object is one of several."""
    owner = _owner(it, node)
    return None if owner is None else owner[1].attributes[node.attr]


def put(it: Interpreter, node: ir.Attribute, narrowed: Value) -> None:
    """Let the attribute hold the narrowed value on the path at hand; this is no change of the object."""
    owner = _owner(it, node)
    if owner is None:
        return
    oid, cell = owner
    since = replace(cell, attributes={**cell.attributes, node.attr: narrowed})
    it.frame.state.write(oid, since)
    it.tables[_Narrowed].cells.append((oid, cell, since))


def begin(it: Interpreter) -> int:
    """Where the narrowing that follows begins: what `end` is to be told."""
    return len(it.tables[_Narrowed].cells)


def end(it: Interpreter, start: int, *states: State | None) -> None:
    """The narrowing since `start` is over in these states: what was changed after it stays changed.

    A single side of a test that comes out keeps what the test tells.
    """
    cells = it.tables[_Narrowed].cells
    if len(cells) > start:
        for state in states if None not in states else ():
            _undo(state, cells[start:])
        del cells[start:]


def _undo(state: State | None, cells: list[tuple[int, Cell, Cell]]) -> None:
    """Put back what tests narrowed, where nothing else came to stand in its place."""
    for oid, before, since in reversed(cells):
        if state is not None and state.heap.get(oid) is since:
            state.write(oid, before)


def _owner(it: Interpreter, node: ir.Attribute) -> tuple[int, InstanceCell] | None:
    """The object that holds an attribute itself, in the state at hand."""
    value = _peek(it, node.base)
    cell = it.cell(value) if isinstance(value, Object) else None
    if not isinstance(value, Object) or not isinstance(cell, InstanceCell) or node.attr not in cell.attributes:
        return None
    return (value.oid, cell) if value.oid in it.frame.state.heap else None


def _peek(it: Interpreter, node: ir.Expr) -> Value | None:
    """The value of a name, or of an attribute of one, without events."""
    if isinstance(node, ir.Name):
        return it.peek(node.id)
    return held(it, node) if isinstance(node, ir.Attribute) else None
