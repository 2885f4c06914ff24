"""Attributes that a test narrows: `if self.cache is None`, `isinstance(model.weights, list)`."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from jaxlint.analysis.domain.class_fields import fields
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
    if owner is None:
        return None
    reference, cell = owner
    value = cell.attributes.get(node.attr)
    return it.attribute(reference, node.attr, node.at) if value is None else value


def put(it: Interpreter, node: ir.Attribute, narrowed: Value) -> None:
    """Let the attribute hold the narrowed value on the path at hand; this is no change of the object."""
    owner = _owner(it, node)
    if owner is None:
        return
    reference, cell = owner
    since = replace(cell, attributes={**cell.attributes, node.attr: narrowed})
    it.frame.state.write(reference.oid, since)
    it.tables[_Narrowed].cells.append((reference.oid, cell, since))


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


def _owner(it: Interpreter, node: ir.Attribute) -> tuple[Object, InstanceCell] | None:
    """The object that holds an attribute itself, in the state at hand."""
    value = _peek(it, node.base)
    cell = it.cell(value) if isinstance(value, Object) else None
    if not isinstance(value, Object) or not isinstance(cell, InstanceCell) or value.oid not in it.frame.state.heap:
        return None
    return (value, cell) if node.attr in cell.attributes or _is_declared(cell, node.attr) else None


def _is_declared(cell: InstanceCell, name: str) -> bool:
    """Whether an object that came from outside has a field of its own that its class only declares."""
    return cell.open and name in fields(cell.cls) and name not in cell.cls.namespace


def _peek(it: Interpreter, node: ir.Expr) -> Value | None:
    """The value of a name, or of an attribute of one, without events."""
    if isinstance(node, ir.Name):
        return it.peek(node.id)
    return held(it, node) if isinstance(node, ir.Attribute) else None
