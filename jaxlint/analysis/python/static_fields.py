"""Arrays in fields of a pytree that are no leaves: JAX compares and hashes them as a part of its structure.

Under-approximates: only where the object is made, of fields that the class itself declares as static.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxlint.analysis.domain import class_fields, shapes
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
from jaxlint.syntax import ir, walks

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
            written = _written(arguments, value)
            frame, place = (it.frame, at) if written is None else (it.frame, written)
            stored = None if written is not None else _stored(it, cell.cls, name)
            if stored is not None and cell.cls.module.frame is not None and cell.cls.module.checked:
                frame, place = cell.cls.module.frame, stored
            it.emit(StaticFieldArray(frame, place, cell.cls.name, name, Operand(value, frame, place)))


@memoised
def _declared(_: Interpreter, cls: ClassValue) -> tuple[str, ...]:
    return tuple(sorted(class_fields.declared_statics(cls)))


def holds_array(it: Interpreter, value: Value) -> bool:
    """Whether a value surely is an array with elements that cannot be compared as one, or a tuple or list of such."""
    return all(_is_array(it, atom) for atom in atoms_of(value))


def _is_array(it: Interpreter, atom: Value) -> bool:
    match atom:
        case Array(level=level):  # of unknown rank, it may be one number: those compare as a whole
            return level >= Level.GRAD or shapes.least_rank(atom) > 0
        case Key():
            return True
        case Tuple(elements=elements):
            return any(holds_array(it, element) for element in elements)
        case Object():
            cell = it.held(atom.oid)
            return isinstance(cell, ListCell) and any(holds_array(it, element) for element in cell.elements or ())
        case _:
            return False


@memoised
def _stored(_: Interpreter, cls: ClassValue, name: str) -> int | None:
    """What the initializer of a class makes and gives a field, if it does so in one place."""
    methods = (part.function for part in cls.cls.body if isinstance(part, ir.FunctionDefinition))
    found = [
        value.at
        for function in methods
        if function.name in ("__init__", cls.after) and function.parameters
        for target, value in walks.assignments(function.body)
        if walks.dotted(target) == f"{function.parameters[0].name}.{name}" and not _is_parameter(function, value)
    ]
    return found[0] if len(found) == 1 else None


def _is_parameter(function: ir.Function, value: ir.Expr) -> bool:
    return isinstance(value, ir.Name) and any(value.id == parameter.name for parameter in function.parameters)


def _written(arguments: Arguments, value: Value) -> int | None:
    """The argument that a field was given; None where the class makes the value itself."""
    given = [*zip(arguments.positional, arguments.positional_at)]
    given += [(each, arguments.keyword_at.get(name, -1)) for name, each in arguments.keywords.items()]
    return next((place for each, place in given if each is value and place >= 0), None)
