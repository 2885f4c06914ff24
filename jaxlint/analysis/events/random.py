"""Events of PRNG keys: how they are made, used, repeated and returned."""

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
    """A key is used again. `use` is the later use; `earlier` is the first use that it repeats.

    `last` is the last use that is the same operation as the first, in another call.
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
    only_divides: bool = False  # the key was drawn from and is split now: no number repeats
    on_one_side: bool = False  # a name holds the used key on one side of a test, and another key on the other side

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
    """All rows of a mapped function use one key: closed over, or passed with `in_axes=None`.

    `is_default`: it is the default of a parameter, and so the key of every other call that passes none as well.
    """

    key: Operand
    use: KeyUse
    transform: str
    ident: Any
    is_default: bool = False

    @property
    def key_text(self) -> str:
        """The key as written, or the name that holds it, here or around, where the use is inside a call."""
        return min(holders(self.ident, self.frame), default="") or self.key.text


@dataclass(frozen=True, slots=True, eq=False)
class KeyMade(Event):
    """Code makes a key from a seed. `seed` is known if it is constant; `purpose` states why this may be intended."""

    seed: Operand
    function: str
    in_loop: bool
    purpose: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class KeyHandedBack(Event):
    """A function returns a key that it already used or split.

    `unread` names the result of the split that is never read, and that the function should return.
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
    """A method splits the key of its object and stores neither part as the next key."""

    key: Operand


@dataclass(frozen=True, slots=True, eq=False)
class KeyMisuse(Event):
    """A key is used as data, or data as a key. `may_be_word`: that may be a word of a key's bits instead."""

    operand: Operand
    function: str
    how: str
    is_left: bool = False  # of an operator: whether the key stands to the left of it
    may_be_word: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class LegacyKey(Event):
    """Code makes a key of raw bits with `function`."""

    function: str
