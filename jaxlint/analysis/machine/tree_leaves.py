"""The leaves of a tree of values, as far as its containers are known."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from jaxlint.analysis.domain import class_fields
from jaxlint.analysis.domain.values import (
    UNKNOWN,
    DictCell,
    InstanceCell,
    Iterable,
    ListCell,
    Object,
    Tuple,
    Value,
    atoms_of,
    is_none,
)

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter

#: Values nested deeper than this hold themselves.
MAX_NESTING = 12


def leaves_of(it: Interpreter, value: Value, depth: int = 0) -> Iterator[Value]:
    """The leaves in the order of their containers; what may be a container or not stands for itself."""
    atoms = [atom for atom in atoms_of(value) if not is_none(atom)]
    only = atoms[0] if len(atoms) == 1 else None
    if depth > MAX_NESTING or not atoms:
        return
    if isinstance(only, Tuple):
        for element in only.elements:
            yield from leaves_of(it, element, depth + 1)
    elif isinstance(only, Iterable):
        yield UNKNOWN  # some leaves, and how many is not known
    elif isinstance(only, Object):
        yield from _leaves_of_cell(it, only, depth)
    else:
        yield value if only is None else only


def _leaves_of_cell(it: Interpreter, reference: Object, depth: int) -> Iterator[Value]:
    match it.held(reference.oid):
        case ListCell(elements=tuple() as elements):
            for element in elements:
                yield from leaves_of(it, element, depth + 1)
        case DictCell(items=items, rest=None):
            for _, item in sorted(items.items(), key=lambda pair: str(pair[0])):  # as JAX flattens them
                yield from leaves_of(it, item, depth + 1)
        case InstanceCell(cls=cls, attributes=attributes) as cell if cls.kind in ("pytree", "module"):
            static = class_fields.statics(cls)
            for name, value in attributes.items():
                if name not in static:
                    yield from leaves_of(it, value, depth + 1)
            if cell.open:
                yield UNKNOWN
        case _:
            yield UNKNOWN
