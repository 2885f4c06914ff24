"""Objects that state a shape and a dtype: who only asks for types traces a function with an array for each of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Final, TypeAlias

from jaxlint.analysis.domain.class_fields import fields
from jaxlint.analysis.domain.lattice import join_all
from jaxlint.analysis.domain.values import (
    Array,
    Atom,
    DictCell,
    InstanceCell,
    Level,
    ListCell,
    Object,
    Tuple,
    Value,
    atoms_of,
)
from jaxlint.analysis.machine.tree_leaves import MAX_NESTING
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
    replaced = [_replaced(it, atom, depth) for atom in atoms]
    return value if all(a is b for a, b in zip(atoms, replaced)) else join_all(replaced)


def _replaced(it: Interpreter, atom: Atom, depth: int) -> Value:
    if isinstance(atom, Tuple):
        parts = tuple(as_arrays(it, part, depth + 1) for part in atom.elements)
        return atom if _are_same(atom.elements, parts) else Tuple(parts, atom.names, atom.cls)
    cell = it.cell(atom) if isinstance(atom, Object) else None
    match cell:
        case ListCell(elements=tuple() as elements):
            parts = tuple(as_arrays(it, part, depth + 1) for part in elements)
            changed = replace(cell, elements=parts, element=join_all(parts))
            return atom if _are_same(elements, parts) else it.allocate(changed)
        case DictCell(items=items):
            values = {key: as_arrays(it, item, depth + 1) for key, item in items.items()}
            return atom if _are_same(items.values(), values.values()) else it.allocate(replace(cell, items=values))
        case InstanceCell() if not cell.cls.kind and all(_states(it, cell, name) for name in _STATED):
            return Array(Level.CONCRETE, ident=it.ident(-1))
        case _:
            return atom


def _are_same(one: Iterable[Value], other: Iterable[Value]) -> bool:
    return all(a is b for a, b in zip(one, other))


def _states(it: Interpreter, cell: InstanceCell, name: str) -> bool:
    """Whether an object has an attribute: its own, or one that its class computes or declares."""
    cls = cell.cls
    is_computed = classes.find(it, cls, name) is not None
    return name in cell.attributes or is_computed or name in fields(cls) or name in method_effects.set_at_start(it, cls)
