"""The same trees of other leaves: tuples, lists, dicts and instances, with a function applied to what they hold."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from jaxlint.analysis.domain import class_fields
from jaxlint.analysis.domain.lattice import join_all
from jaxlint.analysis.domain.values import (
    UNKNOWN,
    Array,
    Atom,
    Birth,
    DictCell,
    InstanceCell,
    Iterable,
    Key,
    Leaves,
    ListCell,
    Object,
    Static,
    Tuple,
    Value,
    atoms_of,
)
from jaxlint.analysis.machine.tree_leaves import MAX_NESTING

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter


def map_leaves(it: Interpreter, value: Value, leaf: Callable[[Atom], Value]) -> Value:
    """Apply `leaf` below tuples, lists, dicts and instances."""
    return _Mapping(it, leaf).of(value)


def _born_here(it: Interpreter, cell: ListCell | DictCell | InstanceCell) -> Birth:
    """The birth of a copy, which belongs to the frame at hand and was made where the original was."""
    return cell.birth._replace(frame=it.frame.serial)


@dataclass(slots=True)
class _Mapping:
    """Applies a function to the leaves of a tree; an object that several parts hold is copied once."""

    it: Interpreter
    leaf: Callable[[Atom], Value]
    done: dict[int, Value] = field(default_factory=dict)

    def of(self, value: Value, depth: int = 0) -> Value:
        """The same tree of other leaves."""
        atoms = atoms_of(value)
        if depth > MAX_NESTING:
            return UNKNOWN
        if len(atoms) > 1:
            return join_all([self.of(atom, depth) for atom in atoms])
        match atoms[0]:
            case Tuple(elements=elements, names=names, cls=cls):
                return Tuple(tuple(self.of(part, depth + 1) for part in elements), names, cls)
            case Iterable(kind="tuple") as atom:
                return Iterable("tuple", self.of(atom.element, depth + 1), ident=atom.ident)
            case Object() as atom:
                if atom.oid not in self.done:
                    self.done[atom.oid] = self._cell(atom, depth + 1)
                return self.done[atom.oid]
            case atom:
                return self.leaf(atom)

    def _cell(self, atom: Object, depth: int) -> Value:
        it, cell = self.it, self.it.cell(atom)
        match cell:
            case ListCell():
                exact = None if cell.elements is None else tuple(self.of(part, depth) for part in cell.elements)
                return it.allocate(ListCell(_born_here(it, cell), exact, self.of(cell.element, depth)))
            case DictCell():
                items = {key: self.of(value, depth) for key, value in cell.items.items()}
                rest = None if cell.rest is None else self.of(cell.rest, depth)
                return it.allocate(DictCell(_born_here(it, cell), items, rest))
            case InstanceCell() if cell.cls.kind not in ("enum", "static"):  # what leaves a trace is a pytree
                static = class_fields.statics(cell.cls)
                attributes = {
                    name: value if _stays(cell, name in static, value) else self.of(value, depth)
                    for name, value in class_fields.held(cell).items()
                }
                return it.allocate(InstanceCell(_born_here(it, cell), cell.cls, attributes, cell.open, cell.label))
            case _:
                return atom


def _stays(cell: InstanceCell, is_static: bool, value: Value) -> bool:
    """Whether an attribute is no leaf: one that is static, if it is no array; a Python value beside picked arrays."""
    if is_static and not any(isinstance(atom, Array | Leaves | Key) for atom in atoms_of(value)):
        return True
    return isinstance(value, Static) and (cell.cls.kind != "pytree" or class_fields.picks_leaves(cell.cls))
