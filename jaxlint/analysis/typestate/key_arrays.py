"""Arrays of keys: what was done to single keys of them, which a use of the whole array repeats, and the other way."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final, NamedTuple

from jaxlint.analysis.domain.idents import Each, Elements, Ident, Index, Item, Part
from jaxlint.analysis.domain.state import KeyUse
from jaxlint.analysis.domain.values import Key
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


def gathered(it: Interpreter, array: Key, parts: tuple[Key, ...]) -> Key:
    """An array of keys, each of which is found again at its place."""
    if any(part.shape != () for part in parts):
        return array
    it.tables[_Gathered].by_array[array.ident] = parts
    return replace(array, shape=(len(parts),))


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
    return replace(key, ident=it.element_ident(key.ident, index), shape=())


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
