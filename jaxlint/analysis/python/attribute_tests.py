"""Which attributes a value has: what `hasattr`, and `getattr` with a default, find out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from jaxlint.analysis.domain.resolution_order import resolution_order
from jaxlint.analysis.domain.values import (
    Array,
    Atom,
    FunctionValue,
    InstanceCell,
    Key,
    Level,
    Object,
    Transformed,
    Value,
    atoms_of,
    is_none,
)
from jaxlint.analysis.python import failures
from jaxlint.jaxapi.versions import is_current

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter
    from jaxlint.jaxapi.rows import MemberRow

#: What arrays of all libraries have, and typed keys too.
_OF_EVERY_ARRAY: Final = frozenset({"shape", "dtype", "ndim"})

#: What functions of Python have, all of them.
_OF_EVERY_FUNCTION: Final = frozenset({"__name__", "__qualname__", "__module__", "__doc__", "__code__", "__call__"})


def outcome(it: Interpreter, value: Value, name: str) -> bool | None:
    """Whether a value has an attribute; None where that is not known, or depends on which of its atoms it is."""
    outcomes = {has(it, atom, name) for atom in atoms_of(value)}
    return outcomes.pop() if len(outcomes) == 1 else None


def has(it: Interpreter, atom: Atom, name: str) -> bool | None:
    """Whether one atom has an attribute.

    An array that only an annotation calls so may be one of another library: who asks does not rely on it either.
    """
    match atom:
        case Array() | Key() if name in _OF_EVERY_ARRAY:
            return True
        case FunctionValue() if name in _OF_EVERY_FUNCTION:
            return True
        case Array(assumed=False, level=level):
            return False if failures.lacks(it, atom, name) else of_arrays(it, level, name)
        case Object() if isinstance(cell := it.cell(atom), InstanceCell):
            return _has_method(cell, name) or None  # who asks may know of code that sets the attribute
        case _:
            missing = is_none(atom) and not name.startswith("__")
            return False if missing or failures.lacks(it, atom, name) else None


def _has_method(cell: InstanceCell, name: str) -> bool:
    """Whether an object that was seen to be made has a method of this name; a property may raise AttributeError."""
    namespaces = (cls.namespace for cls in resolution_order(cell.cls))
    method = next((namespace[name] for namespace in namespaces if name in namespace), None)
    return not cell.open and isinstance(method, FunctionValue | Transformed) and method.binding != "property"


def of_arrays(it: Interpreter, level: Level, name: str) -> bool | None:
    """Whether all arrays of a level have an attribute, by the table."""
    row = it.api.array_member(name)
    if row is None or "." in name:
        return None
    if level is Level.HOST:
        return {"yes": True, "no": False}.get(row.numpy)
    if not is_current(row.since, row.until, it.api.target):
        return None
    outcomes = {_is_there(row, measured) for measured in _measured(row, level)}
    return outcomes.pop() if len(outcomes) == 1 else None


def _measured(row: MemberRow, level: Level) -> tuple[str, ...]:
    """What reading the attribute of an array of this level, or calling the method, came to."""
    match level:
        case Level.CONCRETE:
            return (row.concrete,)
        case Level.GRAD:
            return (row.grad,)
        case Level.ANY:
            return (row.concrete, row.grad, row.tracer)
        case _:
            return (row.tracer,)


def _is_there(row: MemberRow, measured: str) -> bool | None:
    """Whether an array has a member; None for a property that raises something else, which `hasattr` lets through."""
    if measured == "error:AttributeError":
        return False
    return None if row.kind == "attribute" and measured.startswith("error:") else True
