"""Arrays of keys: what was done to single keys of them, which a use of the whole array repeats, and the other way."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final, NamedTuple

from jaxlint.analysis.domain.idents import Each, Elements, Fresh, Ident, Index, Item, Part
from jaxlint.analysis.domain.state import KeyUse
from jaxlint.analysis.domain.values import Key, Static, Value
from jaxlint.analysis.machine.tables import Table

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter

#: How a key becomes an array of that key alone.
_ADDED: Final = "expand_dims"
#: How an array of keys becomes one of another shape, which has the same keys.
RESHAPING = frozenset({"reshape", "squeeze", "ravel", "flatten", "transpose", "swapaxes", "moveaxis", _ADDED})


@dataclass(slots=True)
class _Gathered(Table):
    """The keys that were put together to an array, by its identity."""

    by_array: dict[Ident, tuple[Key, ...]] = field(default_factory=dict)


@dataclass(slots=True)
class _Counts(Table):
    """How many keys an array has, by its identity, and how far a walk over numbers goes, by the index that it gives.

    Both are numbers that are not known, told apart by identities.
    """

    of_array: dict[Ident, Ident] = field(default_factory=dict)
    of_walk: dict[Each, Ident | int] = field(default_factory=dict)


def count(it: Interpreter, array: Key) -> Ident:
    """The identity of the number of keys in an array."""
    return it.tables[_Counts].of_array.setdefault(array.ident, Fresh(it.fresh()))


def counted(it: Interpreter, array: Key, number: Value | None) -> None:
    """An array has as many keys as a number says."""
    ident = getattr(number, "ident", None)
    if ident is not None:
        it.tables[_Counts].of_array[array.ident] = ident


def walked(it: Interpreter, index: Ident, stop: Value) -> None:
    """A walk over the numbers from 0 to `stop` gives this index."""
    if isinstance(index, Each):
        known = stop.value if isinstance(stop, Static) and isinstance(stop.value, int) else None
        it.tables[_Counts].of_walk[index] = getattr(stop, "ident", None) if known is None else known


def _of_walk(it: Interpreter, key: Key, index: Index) -> Index:
    """The index; of a walk over numbers that may end before the keys do, one that does not stand for all."""
    walks, counts = it.tables[_Counts].of_walk, it.tables[_Counts].of_array
    if not isinstance(index, Each) or index not in walks:
        return index
    stop, length = walks[index], key.shape[0] if key.shape else None
    if isinstance(stop, int):
        is_all = isinstance(length, int) and stop >= length
    else:
        is_all = stop is not None and stop == counts.get(key.ident)
    return index if is_all else index._replace(number=index.number + 1)


def gathered(it: Interpreter, array: Key, parts: tuple[Key, ...]) -> Key:
    """An array of keys, each of which is found again at its place."""
    if any(part.shape != () for part in parts):
        return array
    it.tables[_Gathered].by_array[array.ident] = parts
    return replace(array, shape=(len(parts),))


def may_be_word(key: Key) -> bool:
    """Whether this may be a word of a raw key: an item of what may be one key or several is a number, or a key."""
    return is_of_unknown_rank(key) and isinstance(key.ident, Item)


def is_of_unknown_rank(key: Key) -> bool:
    """Whether this may be one raw key, several, or a word of one: often an annotation says that it is a key."""
    return key.shape is None and not key.typed


def alone(key: Key, axes: int = 1) -> Key:
    """An array of one key alone."""
    return replace(key, ident=Part(key.ident, _ADDED), shape=(1,) * axes)


def only(key: Key) -> Key | None:
    """The key of an array of one key alone; None of any other."""
    ident = key.ident
    if not isinstance(ident, Part) or ident.taken != _ADDED:
        return None
    return replace(key, ident=ident.base, shape=())


def element(it: Interpreter, key: Key, index: Index) -> Key:
    """One of the keys of an array of one axis."""
    if key.shape == (1,) and (same := only(key)) is not None:
        return same
    parts = it.tables[_Gathered].by_array.get(key.ident, ())
    if isinstance(index, int) and -len(parts) <= index < len(parts):
        return parts[index]
    return replace(key, ident=it.element_ident(key.ident, _of_walk(it, key, index)), shape=())


_Uses = dict[Ident, "tuple[KeyUse, ...]"]


class _Covered(NamedTuple):
    """Which elements a use noted for `Elements` is of: all, by a walk or in another shape, or some."""

    is_whole: bool
    walk: tuple[int, tuple[int, ...]] | None = None


def note_element(uses: _Uses, ident: Ident, new: KeyUse, note: Callable[[_Uses, Ident, KeyUse], None]) -> None:
    """A key of an array of keys is used: say so of the array, and of the one that this is a part of."""
    if new.action not in ("consume", "split"):
        return
    covered = _covered(ident)
    while isinstance(ident, Item | Part):
        note(uses, Elements(ident.base), new._replace(detail=covered))
        covered = covered._replace(is_whole=covered.is_whole and _covered(ident.base).is_whole)
        ident = ident.base


def overlapping(uses: _Uses, ident: Ident, new: KeyUse) -> Iterator[KeyUse]:
    """Earlier uses of keys that a use of this one, or of this array, is a use of as well."""
    if new.action not in ("consume", "split"):
        return
    for earlier in uses.get(Elements(ident), ()):  # an array that is used up as a whole
        yield earlier._replace(detail=None)
    if not isinstance(ident, Item | Part):
        return
    mine = _covered(ident)
    for earlier in uses.get(Elements(ident.base), ()):
        covered = earlier.detail
        assert isinstance(covered, _Covered)
        if (mine.is_whole or covered.is_whole) and (covered.walk is None or covered.walk != mine.walk):
            yield earlier._replace(detail=None)


def _covered(ident: Ident) -> _Covered:
    match ident:
        case Item(which=Each(at=at, iteration=iteration, number=number)):
            return _Covered(number == 0, (at, iteration[:-1]))  # the first one stands for all
        case Part(taken=str(how)) if how in RESHAPING:
            return _Covered(True)
        case _:
            return _Covered(False)
