"""Which stores into arrays are reported, and what their fix must know of them."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.findings import Finding, FixRequest, NoFix
from jaxlint.analysis.domain.values import (
    Array,
    Atom,
    Key,
    Leaves,
    Level,
    ListCell,
    Object,
    Static,
    Unknown,
    Value,
    atoms_of,
)
from jaxlint.analysis.events.arrays import ItemStore
from jaxlint.analysis.events.event import Operand
from jaxlint.rules.arrays._immutable import immutable_confidence


def report(store: ItemStore, deed: str) -> Iterator[Finding | NoFix]:
    """What a rule says of a store: it fails where the base is an array of JAX, and works elsewhere.

    `deed` is what is done to the base.
    """
    confidence = immutable_confidence(store.base.value, views=False)
    if confidence is not None:
        what = f"`{store.base.text}` is a JAX array, which cannot be {deed}"
        message = f"{what}; use `.at[...].{store.method}(...)`"
        yield store.diagnostic(message, notes=store.base.evidence, confidence=confidence, fix=store_request(store))
    if any(_takes_stores(atom) for atom in atoms_of(store.base.value) if not _may_be_array(store, atom)):
        yield NoFix(store.place)


def _may_be_array(store: ItemStore, atom: Atom) -> bool:
    """Whether it is a parameter of a call that nobody has seen, and the index one that arrays take as well."""
    is_unseen = isinstance(atom, Leaves) and atom.origin is not None and atom.origin.kind == "default"
    return is_unseen and not any(isinstance(o.value, Static) and isinstance(o.value.value, str) for o in store.index)


def store_request(store: ItemStore) -> FixRequest:
    """The ordinals of indices that are lists; what the index selects; how to replace the attribute that the base is.

    The index selects "once", if it is known to select no element twice, "again", if it may, or by a "mask" whose
    value is not known. The last word is the method of `x.at[i]` that does it.
    """
    lists = (operand.at for operand in store.index if _is_list(store, operand.value))
    is_traced = "traced" if store.trace is not None else ""
    return store.fix_request(*lists, words=(_selection(store.index), store.way, is_traced, store.method))


def _takes_stores(atom: Atom) -> bool:
    if isinstance(atom, Array):
        return atom.level is Level.HOST and not atom.readonly
    return not isinstance(atom, (Key, Unknown, Static))


def _is_list(store: ItemStore, value: Value) -> bool:
    heap = store.frame.state.heap
    return any(isinstance(atom, Object) and isinstance(heap.get(atom.oid), ListCell) for atom in atoms_of(value))


def _selection(index: tuple[Operand, ...]) -> str:
    kinds = {_kind(atom) for operand in index for atom in atoms_of(operand.value)}
    if "mask" in kinds:
        return "mask"
    return "again" if "again" in kinds else "once"


def _kind(atom: Atom) -> str:
    match atom:
        case Static():
            return "once"
        case Array(dtype="bool"):
            return "mask" if atom.level is Level.TRACED else "once"
        case Array(shape=()):
            return "once"
        case _:
            return "again"
