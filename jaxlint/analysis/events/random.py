"""Events of PRNG keys: what is made, used, repeated and handed back."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from jaxlint.analysis.domain.findings import Cause, Place
from jaxlint.analysis.domain.identities import holders, idents_of, name_of, path_of
from jaxlint.analysis.domain.values import Key
from jaxlint.analysis.events.event import Event, Operand

if TYPE_CHECKING:
    from jaxlint.analysis.domain.state import KeyUse

#: A variable, or what one holds: `state.key`, `keys[0]`.
_PATH = re.compile(r"\w+(\.\w+|\[[^()]*\])*")


@dataclass(frozen=True, slots=True, eq=False)
class KeyConflict(Event):
    """A key is used again: `use` is the further use, `earlier` the first one that it repeats.

    `last` is the last one that is the same operation as the first, in another call.
    """

    key: Operand
    earlier: KeyUse
    last: KeyUse
    use: KeyUse
    in_loop: bool
    sure: bool
    ident: Any
    helper: str  # the project function that advanced the key at both uses and gave the next one back
    position: int  # where in the tuple that it returns the next key stands, -1: not known
    first: Place  # the first use of the key
    across_cells: bool = False  # each use stands in a cell of its own, and is run by itself
    purpose: str = ""  # why the code may want equal numbers

    @property
    def key_text(self) -> str:
        """The key by the name that holds it, or as written where it is used; else what it is a part of."""
        found = self._text
        return f"`{found}`" if _PATH.fullmatch(found) else f"the key in `{found}`"

    @property
    def _text(self) -> str:
        return path_of(self.ident, self.frame) or self.key.text

    @property
    def cause(self) -> Cause:
        """The key and its first use: what its further uses share."""
        return Cause(self.first, self._text)

    @property
    def names(self) -> tuple[str, ...]:
        """The variables that hold the key where the two uses part ways."""
        return tuple(holders(self.ident, self.frame))

    @property
    def is_single(self) -> bool:
        """Whether one key is used again, as far as is known, and not an array of keys."""
        held = (self.key.value, *holders(self.ident, self.frame).values())
        is_row = isinstance(self.key.value, Key) and self.ident not in idents_of(self.key.value)
        return not is_row and not any(isinstance(value, Key) and value.shape for value in held)


@dataclass(frozen=True, slots=True, eq=False)
class KeyBroadcast(Event):
    """One key drives every row of a mapped function: closed over, or passed with `in_axes=None`."""

    key: Operand
    use: KeyUse
    transform: str
    ident: Any

    @property
    def key_text(self) -> str:
        """The key as written, or the name that holds it where the use is inside a call."""
        return name_of(self.ident, self.frame) or self.key.text


@dataclass(frozen=True, slots=True, eq=False)
class KeyMade(Event):
    """A key is made from a seed; `seed` is known where it is a constant. `purpose` tells why the code may want that."""

    seed: Operand
    function: str
    in_loop: bool
    purpose: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class KeyHandedBack(Event):
    """A function returns a key that it has used: one that it was given and has split, or `key` of an own split.

    `unread` names what came of that split and is never read: the key that was to be used instead.
    """

    key: Operand
    use: KeyUse
    ident: Any
    first: Place
    unread: str = ""

    @property
    def key_text(self) -> str:
        """The key by its name, or what holds it."""
        found = path_of(self.ident, self.frame)
        return f"`{found}`" if found else f"the key in `{self.key.text}`"

    @property
    def cause(self) -> Cause:
        """As of a key that is used again."""
        return Cause(self.first, name_of(self.ident, self.frame) or self.key.text)


@dataclass(frozen=True, slots=True, eq=False)
class KeyNotAdvanced(Event):
    """A method splits its object's key and keeps neither of the parts as the next one."""

    key: Operand


@dataclass(frozen=True, slots=True, eq=False)
class KeyMisuse(Event):
    """A key in the place of data, or data in the place of a key."""

    operand: Operand
    function: str
    how: str
    is_left: bool = False  # of an operator: whether the key stands to the left of it


@dataclass(frozen=True, slots=True, eq=False)
class LegacyKey(Event):
    """A key of raw bits is made by this function."""

    function: str
