"""Identities: what tells two values apart, when it came to be, and which variable holds it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from jaxlint.analysis.domain.idents import Ident, OfObject
from jaxlint.analysis.domain.values import Array, InstanceCell, Key, Leaves, Object, Unknown, Value, atoms_of

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
