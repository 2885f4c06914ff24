"""Identities: what tells two values apart, when it came to be, and which variable holds it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from jaxlint.analysis.domain.idents import AttributeOf, Given, Ident, OfObject
from jaxlint.analysis.domain.values import (
    Array,
    DictCell,
    InstanceCell,
    Key,
    Leaves,
    Object,
    Tuple,
    Union,
    Unknown,
    Value,
    atoms_of,
)

if TYPE_CHECKING:
    from jaxlint.analysis.domain.frames import Frame


def idents_of(value: Value) -> Iterator[Ident]:
    """The identities of all that a value can be and that may be a key."""
    for atom in atoms_of(value):
        if isinstance(atom, (Key, Unknown, Leaves, Array)) and atom.ident is not None:
            yield atom.ident


def name_of(ident: Any, frame: Frame) -> str:
    """The variable of a frame that holds the value of this identity, empty where none does."""
    names = (name for name, value in frame.state.env.items() if getattr(value, "ident", None) == ident)
    return min(names, default="")


def path_of(ident: Any, frame: Frame) -> str:
    """How code of a frame reads the value of this identity: a variable, or what one holds. Empty where none does."""
    env = frame.state.env
    held = ((name, *part) for name, value in sorted(env.items()) for part in _parts(value, frame))
    inside = (f"{name}{step}" for name, step, part in held if ident in idents_of(part))
    of_unknown = (f"{name}.{ident.name}" for name in sorted(env) if _is_attribute(ident, env[name]))
    among = (name for name in sorted(env) if isinstance(env[name], Union) and ident in idents_of(env[name]))
    return name_of(ident, frame) or min((*inside, *of_unknown, *among), key=len, default="")


def _is_attribute(ident: Any, value: Value) -> bool:
    return isinstance(ident, AttributeOf) and getattr(value, "ident", None) == ident.base


def _parts(value: Value, frame: Frame) -> Iterator[tuple[str, Value]]:
    """What a container holds, and how that is written behind its name."""
    if isinstance(value, Tuple):
        named = bool(value.names) and len(value.names) == len(value.elements)
        for number, part in enumerate(value.elements):
            yield f".{value.names[number]}" if named else f"[{number}]", part
    elif isinstance(value, Object):
        cell = frame.state.heap.get(value.oid)
        if isinstance(cell, InstanceCell):
            yield from ((f".{name}", part) for name, part in cell.attributes.items())
        elif isinstance(cell, DictCell):
            yield from ((f"[{name!r}]", part) for name, part in cell.items.items())


def holders(ident: Any, frame: Frame) -> dict[str, Value]:
    """The variables with the value of this identity, in a frame or else in the nearest one that it closes over."""
    around: Frame | None = frame
    while around is not None:
        found = {n: value for n, value in around.state.env.items() if getattr(value, "ident", None) == ident}
        if found:
            return dict(sorted(found.items()))
        around = around.closure
    return {}


def instance_ident(cell: InstanceCell, reference: Object) -> Ident:
    """What the identities of an object's unseen attributes are made of."""
    return cell.ident or OfObject(reference.oid)


def given_attribute(cell: InstanceCell, reference: Object, name: str) -> Given:
    """Where the heap keeps an attribute that an annotation describes; each trace has a copy of the object."""
    level, owner = ("", 0) if cell.level is None else (cell.level.name, cell.birth.frame)
    return Given(instance_ident(cell, reference), name, level, owner)
