"""What a static argument is made of: the parts that a hash would have to cover."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from jaxlint.analysis.domain.values import (
    Array,
    Atom,
    DictCell,
    InstanceCell,
    Key,
    Level,
    ListCell,
    Object,
    SetCell,
    Static,
    Tuple,
    Value,
    atoms_of,
)
from jaxlint.analysis.events.compilation import StaticArgument
from jaxlint.analysis.python import classes
from jaxlint.diagnostics import Confidence

_KINDS = {ListCell: "a list", DictCell: "a dict", SetCell: "a set"}


@dataclass(frozen=True, slots=True)
class Part:
    """One part: `unhashable` says what it is where it has no hash, `array` that it is an array."""

    unhashable: str
    array: bool
    nested: bool
    confidence: Confidence


def parts(argument: StaticArgument) -> Iterator[Part]:
    """The parts of a static argument, from the outside in."""
    yield from _parts(argument.operand.value, argument.held, nested=False)


def _parts(value: Value, held: Callable[[int], Any], *, nested: bool) -> Iterator[Part]:
    atoms = atoms_of(value)
    sure = Confidence.CERTAIN if len(atoms) == 1 else Confidence.LIKELY
    for atom in atoms:
        if isinstance(atom, Tuple):
            for element in atom.elements:
                yield from _parts(element, held, nested=True)
        elif isinstance(atom, Object):
            yield from _cell_parts(held(atom.oid), held, sure, nested)
        elif isinstance(atom, Static) and atom.type == "bytearray":
            yield Part("a bytearray", False, nested, sure)
        else:
            yield Part("", _is_array(atom, alone=len(atoms) == 1), nested, sure)


def _is_array(atom: Atom, *, alone: bool) -> bool:
    """Certainly an array: an annotation that names one among other kinds of value says only that it may be one."""
    if not isinstance(atom, Array | Key) or _may_be_scalar(atom):
        return False
    return alone or atom.level is not Level.ANY


def _may_be_scalar(atom: Atom) -> bool:
    """Scalars of NumPy have a hash, those of JAX have none."""
    return isinstance(atom, Array) and atom.level is Level.HOST and not atom.shape


def _cell_parts(cell: object, held: Callable[[int], Any], sure: Confidence, nested: bool) -> Iterator[Part]:
    if type(cell) in _KINDS:
        yield Part(_KINDS[type(cell)], False, nested, sure)
    elif isinstance(cell, InstanceCell):
        if classes.is_unhashable(cell.cls):
            if cell.open and sure is Confidence.CERTAIN:
                sure = Confidence.LIKELY  # an annotation tells the class, and settings of a library may stand for it
            yield Part(f"an instance of `{cell.cls.name}`, which has `__eq__` and no `__hash__`", False, nested, sure)
        elif classes.hashes_fields(cell.cls):
            for value in cell.attributes.values():
                yield from _parts(value, held, nested=True)
