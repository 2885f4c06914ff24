"""What a static argument is made of: the parts that a hash would have to cover."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
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
    Unknown,
    Value,
    atoms_of,
)
from jaxlint.analysis.events.compilation import StaticArgument
from jaxlint.analysis.machine.tree_leaves import MAX_NESTING
from jaxlint.analysis.python import class_hashes
from jaxlint.diagnostics import Confidence

_KINDS: Mapping[type, str] = {ListCell: "a list", DictCell: "a dict", SetCell: "a set"}


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
    if isinstance(cell, ListCell | DictCell | SetCell) and type(cell) in _KINDS:
        if cell.birth.claimed:
            sure = Confidence.POSSIBLE  # code that runs gives something else, such as frozen settings
        yield Part(_KINDS[type(cell)], False, nested, sure)
    elif isinstance(cell, InstanceCell):
        if class_hashes.is_unhashable(cell.cls):
            if cell.open and sure is Confidence.CERTAIN:
                sure = Confidence.LIKELY  # an annotation tells the class, and settings of a library may stand for it
            yield Part(f"an instance of `{cell.cls.name}`, which has `__eq__` and no `__hash__`", False, nested, sure)
        elif class_hashes.hashes_fields(cell.cls):
            for value in cell.attributes.values():
                yield from _parts(value, held, nested=True)


# --- where they are


def unhashable_places(argument: StaticArgument) -> Iterator[str]:
    """What in a static argument has no hash, as plain text: `0.1=a list` is the second element of the first one.

    The indices are `*` where the number of elements is not known. "mixed" may have a hash, or none.
    """
    for where, what in _unhashable(argument.operand.value, argument.held, ()):
        yield f"{'.'.join(where)}={what}"


def _unhashable(
    value: Value, held: Callable[[int], Any], where: tuple[str, ...]
) -> Iterator[tuple[tuple[str, ...], str]]:
    if len(where) > MAX_NESTING:
        return
    atoms = atoms_of(value)
    told = [atom for atom in atoms if not isinstance(atom, Tuple | Unknown)]  # `tuple` takes a tuple, too
    kinds = {_kind_without_hash(atom, held, alone=len(atoms) == 1) for atom in told}
    if kinds - {""}:
        yield where, kinds.pop() if len(kinds) == 1 else "mixed"
    for atom in atoms:
        for index, element in _elements(atom, held):
            yield from _unhashable(element, held, (*where, index))


def _kind_without_hash(atom: Atom, held: Callable[[int], Any], *, alone: bool) -> str:
    """What an atom is, if it has no hash itself; empty for all others."""
    cell = held(atom.oid) if isinstance(atom, Object) else None
    if isinstance(cell, InstanceCell):
        return "an object" if class_hashes.is_unhashable(cell.cls) else ""
    if isinstance(atom, Static):
        return "a bytearray" if atom.type == "bytearray" else ""
    return "an array" if _is_array(atom, alone=alone) else _KINDS.get(type(cell), "")


def _elements(atom: Atom, held: Callable[[int], Any]) -> Iterator[tuple[str, Value]]:
    """What the hash of a value is made of, if it has one: its elements, or fields."""
    cell = held(atom.oid) if isinstance(atom, Object) else None
    elements = atom.elements if isinstance(atom, Tuple) else getattr(cell, "elements", None)
    if elements is not None:
        yield from ((str(index), element) for index, element in enumerate(elements))
    elif isinstance(cell, ListCell):
        yield "*", cell.element
    elif isinstance(cell, InstanceCell) and class_hashes.hashes_fields(cell.cls):
        yield from cell.attributes.items()
