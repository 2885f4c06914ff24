"""Objects that state a shape and a dtype: who only asks for types takes them for arrays, and gives such ones back."""

from __future__ import annotations

from collections.abc import Iterable as Several
from dataclasses import replace
from typing import TYPE_CHECKING, Final, TypeAlias

from jaxlint.analysis.domain.class_fields import fields
from jaxlint.analysis.domain.lattice import join_all
from jaxlint.analysis.domain.values import (
    Array,
    Atom,
    DictCell,
    InstanceCell,
    Iterable,
    Key,
    Leaves,
    Level,
    ListCell,
    Made,
    Object,
    Static,
    Tuple,
    Unknown,
    Value,
    atoms_of,
)
from jaxlint.analysis.machine.tree_leaves import MAX_NESTING
from jaxlint.analysis.machine.tree_maps import map_leaves
from jaxlint.analysis.python import classes
from jaxlint.analysis.source import method_effects

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter

_STATED: Final = ("shape", "dtype")


#: What a transform is given under one name; in a list, what it takes by `*args`.
_Operand: TypeAlias = "Value | list[Value] | None"


def given(it: Interpreter, transform: str, operands: dict[str, _Operand]) -> dict[str, _Operand]:
    """The operands of a transform, with arrays in the place of such objects where it takes these."""
    if not it.api.has(transform, "takes-shapes"):
        return operands
    return {name: _of_operand(it, value) for name, value in operands.items()}


def _of_operand(it: Interpreter, value: _Operand) -> _Operand:
    if isinstance(value, list):
        return [as_arrays(it, each) for each in value]
    return None if value is None else as_arrays(it, value)


def as_arrays(it: Interpreter, value: Value, depth: int = 0) -> Value:
    """A tree with arrays in the place of such objects; the tree itself where it holds none."""
    if depth > MAX_NESTING:
        return value
    atoms = atoms_of(value)
    replaced = [_replaced(it, atom, depth + 1) for atom in atoms]
    return value if _are_same(atoms, replaced) else join_all(replaced)


def _replaced(it: Interpreter, atom: Atom, depth: int) -> Value:
    match atom:
        case Tuple(elements=elements):
            parts = [as_arrays(it, part, depth) for part in elements]
            return atom if _are_same(elements, parts) else Tuple(tuple(parts), atom.names, atom.cls)
        case Iterable(element=element):
            part = as_arrays(it, element, depth)
            return atom if part is element else replace(atom, element=part)
        case Object():
            return _object(it, atom, depth)
        case _:
            return atom


def _object(it: Interpreter, atom: Object, depth: int) -> Value:
    match cell := it.cell(atom):
        case ListCell():
            held = (cell.element, *(cell.elements or ()))
            element, *elements = parts = [as_arrays(it, part, depth) for part in held]
            exact = None if cell.elements is None else tuple(elements)
            return atom if _are_same(held, parts) else it.allocate(replace(cell, element=element, elements=exact))
        case DictCell():
            items = {key: as_arrays(it, item, depth) for key, item in cell.items.items()}
            rest = None if cell.rest is None else as_arrays(it, cell.rest, depth)
            is_same = rest is cell.rest and _are_same(cell.items.values(), items.values())
            return atom if is_same else it.allocate(replace(cell, items=items, rest=rest))
        case InstanceCell() if not cell.cls.kind and all(_states(it, cell, name) for name in _STATED):
            return Array(Level.CONCRETE, ident=it.ident(-1))
        case _:
            return atom


def _are_same(one: Several[Value], other: Several[Value]) -> bool:
    return all(a is b for a, b in zip(one, other))


def _states(it: Interpreter, cell: InstanceCell, name: str) -> bool:
    """Whether an object has an attribute: its own, or one that its class computes or declares."""
    cls = cell.cls
    is_computed = classes.find(it, cls, name) is not None
    return name in cell.attributes or is_computed or name in fields(cls) or name in method_effects.set_at_start(it, cls)


def types_of(it: Interpreter, result: Value, at: int) -> Value:
    """What who asks for the types of a function's result gets: the same tree, with a type for each array."""
    return map_leaves(it, result, lambda atom: _type_of(it, atom, at))


def _type_of(it: Interpreter, atom: Atom, at: int) -> Value:
    match atom:
        case Array() | Key():
            return Static(type="ShapeDtypeStruct")
        case Leaves() | Made() | Unknown() | Static(type="int" | "float" | "bool" | "complex" | None):
            return it.unknown("the types of a result", at)
        case _:
            return atom
