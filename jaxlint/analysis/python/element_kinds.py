"""What containers hold that no array can: functions, dicts, texts, and objects that do not say how they are arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from jaxlint.analysis.domain.values import (
    Array,
    Atom,
    BoundMethod,
    ClassValue,
    DictCell,
    FunctionValue,
    InstanceCell,
    ListCell,
    Member,
    Object,
    Partial,
    Qualified,
    SetCell,
    Static,
    Transformed,
    Tuple,
    Value,
    atoms_of,
)
from jaxlint.analysis.machine.class_bases import open_ended
from jaxlint.analysis.python import classes

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter

_FUNCTIONS: Final = (BoundMethod, ClassValue, FunctionValue, Member, Partial, Qualified, Transformed)
_TEXTS: Final = frozenset({"str", "bytes", "enum"})
_NUMBERS: Final = frozenset({"int", "float", "bool", "complex"})
#: Methods that make an array of an object.
_AS_ARRAY: Final = ("__jax_array__", "__array__", "__array_interface__", "__iter__", "__getitem__")


def unfit_for_arrays(it: Interpreter, elements: tuple[Value, ...]) -> str:
    """Either "functions" if all elements are, "objects" if some element cannot be in an array, or empty."""
    atoms = [atom for element in elements for atom in atoms_of(element)]
    if atoms and all(isinstance(atom, _FUNCTIONS) for atom in atoms):
        return "functions"
    return "objects" if any(_is_unfit(it, atom) for atom in atoms) else ""


def _is_unfit(it: Interpreter, atom: Atom) -> bool:
    match atom:
        case Static(type=str(kind)):
            return kind in _TEXTS
        case Tuple(elements=elements):
            return bool(unfit_for_arrays(it, elements))
        case Object():
            return _is_unfit_cell(it, it.cell(atom))
        case _:
            return isinstance(atom, _FUNCTIONS)


def _is_unfit_cell(it: Interpreter, cell: Any) -> bool:
    match cell:
        case ListCell(elements=elements, element=element):
            return bool(unfit_for_arrays(it, (element,) if elements is None else elements))
        case InstanceCell(cls=cls):
            converts = any(classes.find(it, cls, name) is not None for name in _AS_ARRAY)
            return not converts and not open_ended(it, cls)
        case _:
            return isinstance(cell, (DictCell, SetCell))


def are_numbers(element: Value) -> bool:
    """Whether what is declared as a list or sequence of this may be one array: who writes `list[int]` says no more."""
    return all(
        atom.shape == () if isinstance(atom, Array) else isinstance(atom, Static) and atom.type in _NUMBERS
        for atom in atoms_of(element)
    )
