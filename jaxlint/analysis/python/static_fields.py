"""Arrays in fields of a pytree that are no leaves: JAX compares and hashes them as a part of its structure.

Under-approximates: only where the object is made, of fields that the class itself declares as static.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxlint.analysis.domain import class_fields
from jaxlint.analysis.domain.values import (
    Arguments,
    Array,
    ClassValue,
    InstanceCell,
    Key,
    Level,
    ListCell,
    Object,
    Tuple,
    Value,
    atoms_of,
)
from jaxlint.analysis.events.event import Operand
from jaxlint.analysis.events.pytrees import StaticFieldArray
from jaxlint.analysis.machine.tables import memoised

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter


def check(it: Interpreter, made: Object, arguments: Arguments, at: int) -> None:
    """Tell the rules of an object whose static fields hold arrays, once it is made."""
    cell = it.held(made.oid)
    if not isinstance(cell, InstanceCell) or cell.cls.kind != "pytree" or not it.wants(StaticFieldArray):
        return
    for name in _declared(it, cell.cls):
        value = cell.attributes.get(name)
        if value is not None and holds_array(it, value):
            written = _written(arguments, value, at)
            it.emit(StaticFieldArray(it.frame, written, cell.cls.name, name, Operand(value, it.frame, written)))


@memoised
def _declared(_: Interpreter, cls: ClassValue) -> tuple[str, ...]:
    return tuple(sorted(class_fields.declared_statics(cls)))


def holds_array(it: Interpreter, value: Value) -> bool:
    """Whether a value surely is an array with elements that cannot be compared as one, or a tuple or list of such."""
    return all(_is_array(it, atom) for atom in atoms_of(value))


def _is_array(it: Interpreter, atom: Value) -> bool:
    match atom:
        case Array(level=level, shape=shape):
            return level >= Level.GRAD or shape != ()
        case Key():
            return True
        case Tuple(elements=elements):
            return any(holds_array(it, element) for element in elements)
        case Object():
            cell = it.held(atom.oid)
            return isinstance(cell, ListCell) and any(holds_array(it, element) for element in cell.elements or ())
        case _:
            return False


def _written(arguments: Arguments, value: Value, at: int) -> int:
    """The argument that a field was given, or the call, where the class makes the value itself."""
    given = [*zip(arguments.positional, arguments.positional_at)]
    given += [(each, arguments.keyword_at.get(name, -1)) for name, each in arguments.keywords.items()]
    return next((place for each, place in given if each is value and place >= 0), at)
