"""Arrays that compiled code makes of numbers which Python knows: where they come from, until something needs one.

In compiled code each of them is traced. Where that does no harm it is a matter of taste; where a shape, a loop or a
conversion needs the number, the function that traced it is what has to change.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from jaxlint.analysis.domain import shapes
from jaxlint.analysis.domain.idents import Ident, Item
from jaxlint.analysis.domain.values import (
    Array,
    Level,
    ListCell,
    Object,
    Static,
    Tuple,
    Value,
    atoms_of,
    ident_of,
)
from jaxlint.analysis.domain.values import (
    Iterable as Elements,
)
from jaxlint.analysis.events.performance import StaticOperation
from jaxlint.analysis.machine.tables import Table

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter


@dataclass(slots=True)
class StaticNumbers(Table):
    """Arrays made of numbers of Python alone, each with what traced the first of them; `needed` are those reported."""

    made: dict[Ident, StaticOperation] = field(default_factory=dict)
    needed: set[StaticOperation] = field(default_factory=set)


def made(it: Interpreter, result: Value, operation: StaticOperation) -> None:
    """A function of JAX was given such numbers alone."""
    ident = ident_of(result)
    if ident is not None:
        it.tables[StaticNumbers].made[ident] = operation


def combined(it: Interpreter, operands: Iterable[Value], result: Value) -> None:
    """An operator gives such an array where one of its operands is one, and the others are numbers that are known."""
    table, ident = it.tables[StaticNumbers], ident_of(result)
    if not table.made or ident is None:
        return
    origins = [origin_of(it, operand) for operand in operands]
    origin = next((each for each in origins if each is not None), None)
    if origin is not None and all(is_number(it, operand) for operand in operands):
        table.made[ident] = origin


def origin_of(it: Interpreter, value: Value) -> StaticOperation | None:
    """What traced the number, or an element of a sequence of them."""
    known = it.tables[StaticNumbers].made
    for atom in atoms_of(value) if known else ():
        if isinstance(atom, Tuple):
            found = next(filter(None, (origin_of(it, element) for element in atom.elements)), None)
        else:
            ident = ident_of(atom)
            while isinstance(ident, Item) and ident not in known:
                ident = ident.base
            found = known.get(ident)
        if found is not None:
            return found
    return None


def needed(it: Interpreter, value: Value) -> StaticOperation | None:
    """Something needs a value while tracing: tell the rules which function traced a number that Python knew.

    Where only one of several values needs it, an array may be the one that is there.
    """
    origin = origin_of(it, value) if it.wants(StaticOperation) else None
    is_sure = not it.frame.caveats.one_of_several
    if is_sure and origin is not None and origin not in it.tables[StaticNumbers].needed:
        it.tables[StaticNumbers].needed.add(origin)
        it.emit(replace(origin, is_needed=True))
    return origin


def is_whole(value: Value) -> bool:
    """Whether nothing in a value is known to be a fraction."""
    for atom in atoms_of(value):
        if isinstance(atom, Tuple):
            if not all(map(is_whole, atom.elements)):
                return False
        elif isinstance(atom, Static | Array) and shapes.dtype_class(shapes.dtype_of(atom)) == "float":
            return False
    return True


def is_number(it: Interpreter, value: Value) -> bool:
    """Whether a value is a number of Python or NumPy, a sequence of such, or an array that was made of them."""
    return all(_is_number_atom(it, atom) for atom in atoms_of(value))


def _is_number_atom(it: Interpreter, atom: Value) -> bool:
    match atom:
        case Static(type="int" | "float"):
            return True
        case Array(level=Level.HOST, shape=()):
            return True
        case Array():
            return origin_of(it, atom) is not None
        case Tuple(elements=elements):
            return bool(elements) and all(is_number(it, element) for element in elements)
        case Elements(kind="tuple", element=element):
            return is_number(it, element)
        case Object():
            cell = it.cell(atom)
            exact = cell.elements if isinstance(cell, ListCell) else None
            return bool(exact) and all(is_number(it, element) for element in exact or ())
        case _:
            return False
