"""Attributes and elements that a test narrows: `if self.cache is None`, `isinstance(leaves[0], jax.Array)`."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from jaxlint.analysis.domain.class_fields import fields
from jaxlint.analysis.domain.lattice import union
from jaxlint.analysis.domain.values import (
    Atom,
    Cell,
    InstanceCell,
    Iterable,
    ListCell,
    Object,
    Tuple,
    Unknown,
    Value,
    atoms_of,
    ident_of,
)
from jaxlint.analysis.machine.tables import Table
from jaxlint.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Callable

    from jaxlint.analysis.domain.state import State
    from jaxlint.analysis.machine.interpreter import Interpreter


@dataclass(slots=True)
class _Narrowed(Table):
    """Cells of objects and values of names that a test replaced: (which, before, since), in the order of the tests."""

    cells: list[tuple[int, Cell, Cell]] = field(default_factory=list)
    names: list[tuple[str, Value, Value]] = field(default_factory=list)


def held(it: Interpreter, node: ir.Expr) -> Value | None:
    """What an attribute of a known object, or the element `xs[0]` of a known sequence, holds; else None."""
    match node:
        case ir.Attribute():
            return _held_by_attribute(it, node)
        case ir.Subscript(base=ir.Name(id=name), index=(ir.Constant(value=int(index)),)):
            sequence = it.frame.state.env.get(name)
            return None if sequence is None else _element(it, sequence, index)
        case _:
            return None


def put(it: Interpreter, node: ir.Expr, narrowed: Value, keep: Callable[[Atom], bool]) -> None:
    """Let it hold the narrowed value on the path at hand; this is no change of the object or sequence.

    Who asks for the kind of one element means all: another one that `keep` refuses is unknown on this path.
    """
    match node:
        case ir.Attribute():
            _put_attribute(it, node, narrowed)
        case ir.Subscript(base=ir.Name(id=name), index=(ir.Constant(value=int(index)),)):
            _put_element(it, name, index, narrowed, keep)


def _held_by_attribute(it: Interpreter, node: ir.Attribute) -> Value | None:
    """None where the attribute may be computed, or the object is one of several."""
    owner = _owner(it, node)
    if owner is None:
        return None
    reference, cell = owner
    value = cell.attributes.get(node.attr)
    return it.attribute(reference, node.attr, node.at) if value is None else value


def _put_attribute(it: Interpreter, node: ir.Attribute, narrowed: Value) -> None:
    owner = _owner(it, node)
    if owner is not None:
        reference, cell = owner
        _put_cell(it, reference, cell, replace(cell, attributes={**cell.attributes, node.attr: narrowed}))


def _put_cell(it: Interpreter, reference: Object, cell: Cell, since: Cell) -> None:
    it.frame.state.write(reference.oid, since)
    it.tables[_Narrowed].cells.append((reference.oid, cell, since))


def _element(it: Interpreter, sequence: Value, index: int) -> Value | None:
    cell = it.cell(sequence) if isinstance(sequence, Object) else None
    match cell or sequence:
        case Tuple(elements=elements) | ListCell(elements=tuple(elements)):
            return elements[index] if -len(elements) <= index < len(elements) else None
        case Iterable(once=False, element=element) | ListCell(element=element):
            return element
        case _:
            return None


def _put_element(it: Interpreter, name: str, index: int, narrowed: Value, keep: Callable[[Atom], bool]) -> None:
    sequence = it.frame.state.env[name]
    cell = it.cell(sequence) if isinstance(sequence, Object) else None
    match cell or sequence:
        case ListCell(elements=None) as items if isinstance(sequence, Object):
            _put_cell(it, sequence, items, replace(items, element=narrowed))
        case ListCell(elements=tuple(elements)) as items if isinstance(sequence, Object):
            _put_cell(it, sequence, items, replace(items, elements=_alike(elements, index, narrowed, keep)))
        case Tuple(elements=elements) as items:
            _put_name(it, name, items, replace(items, elements=_alike(elements, index, narrowed, keep)))
        case Iterable() as items:
            _put_name(it, name, items, replace(items, element=narrowed))


def _put_name(it: Interpreter, name: str, before: Value, since: Value) -> None:
    it.frame.state.env[name] = since
    it.tables[_Narrowed].names.append((name, before, since))


def _alike(elements: tuple[Value, ...], index: int, narrowed: Value, keep: Callable[[Atom], bool]) -> tuple[Value, ...]:
    alike = [_of_kind(value, keep) for value in elements]
    alike[index] = narrowed
    return tuple(alike)


def _of_kind(value: Value, keep: Callable[[Atom], bool]) -> Value:
    atoms = atoms_of(value)
    kinds = [atom if keep(atom) else Unknown(ident_of(atom)) for atom in atoms]
    return value if all(a is b for a, b in zip(kinds, atoms)) else union(tuple(kinds))


def begin(it: Interpreter) -> tuple[int, int]:
    """Where the narrowing that follows begins: what `end` is to be told."""
    narrowed = it.tables[_Narrowed]
    return len(narrowed.cells), len(narrowed.names)


def end(it: Interpreter, start: tuple[int, int], *states: State | None) -> None:
    """The narrowing since `start` is over in these states: what was changed after it stays changed.

    A single side of a test that comes out keeps what the test tells.
    """
    narrowed = it.tables[_Narrowed]
    cells, names = narrowed.cells[start[0] :], narrowed.names[start[1] :]
    if not cells and not names:
        return
    del narrowed.cells[start[0] :], narrowed.names[start[1] :]
    for state in states if None not in states else ():
        if state is not None:
            _undo(state, cells, names)


def _undo(state: State, cells: list[tuple[int, Cell, Cell]], names: list[tuple[str, Value, Value]]) -> None:
    """Put back what tests narrowed, where nothing else came to stand in its place."""
    for oid, before, since in reversed(cells):
        if state.heap.get(oid) is since:
            state.write(oid, before)
    for name, value, narrowed in reversed(names):
        if state.env.get(name) is narrowed:
            state.env[name] = value


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
