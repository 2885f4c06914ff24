"""Identities: what tells two values apart, when it came to be, and which variable holds it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from jaxlint.analysis.domain.values import Array, Ident, InstanceCell, Key, Leaves, Object, Unknown, Value, atoms_of

if TYPE_CHECKING:
    from jaxlint.analysis.domain.frames import Frame


def idents_of(value: Value) -> Iterator[Ident]:
    """The identities of all that a value can be and that may be a key."""
    for atom in atoms_of(value):
        if isinstance(atom, (Key, Unknown, Leaves, Array)) and atom.ident is not None:
            yield atom.ident


#: Kinds of identities, by where in them the serial number stands.
_NUMBERED: Final = {
    **dict.fromkeys(("at", "number", "rows"), 2),
    **dict.fromkeys(("fresh", "parameter", "result", "self", "object", "again"), 1),
}


def made_at(ident: Ident) -> int:
    """The serial number at which an identity came to be: the youngest of its parts; 0 where it has none."""
    if not isinstance(ident, tuple) or not ident:
        return 0
    numbered = _NUMBERED.get(ident[0])
    if numbered is not None:
        return int(ident[numbered])
    match ident:
        case ("each", *_):
            return 0
        case ("global", *_):
            return 1
        case ("attribute", base, *_):
            return made_at(base)
        case ("item" | "slice", base, index):
            return max(made_at(base), made_at(index))
        case _:  # an index in several parts
            return max(made_at(part) for part in ident)


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
    return cell.ident or ("object", reference.oid)
