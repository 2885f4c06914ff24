"""Keys that hang on a test: one side left another key in a name than the other, and had already used it.

Under-approximates: the earlier use must stand on the very side that left the key, so that one run makes both uses. Of a
side that may leave several keys, such as one with a loop that advances the key, nobody says which of them it used.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from jaxlint.analysis.domain.values import Key, Union, Value
from jaxlint.analysis.machine import path_values

if TYPE_CHECKING:
    from jaxlint.analysis.domain.frames import Frame
    from jaxlint.analysis.domain.idents import Ident
    from jaxlint.analysis.domain.state import Condition, KeyUse


class Side(NamedTuple):
    """A key that a joined value may be, what chose it, and the use of it on that path."""

    ident: Ident
    chosen: frozenset[Condition]
    use: KeyUse

    def holds(self, earlier: KeyUse) -> bool:
        """Whether an earlier use stands behind a test that chose this key."""
        return earlier.action != "pass" and not self.chosen.isdisjoint(earlier.conditions)


def sides(frame: Frame, value: Value, new: KeyUse) -> Iterator[Side]:
    """Each key that a joined value may be, where the tests that it hangs on are known."""
    if not isinstance(value, Union) or new.action == "pass":
        return
    owner = next((caller for caller in frame.callers() if id(value) in caller.choices), None)
    if owner is None:
        return
    for atom in value.atoms:
        is_chosen = isinstance(atom, Key) and path_values.is_alone(owner, value, atom)
        chosen = path_values.conditions_of(owner, value, atom) if is_chosen else ()
        if chosen and isinstance(atom, Key) and atom.ident is not None:
            yield Side(atom.ident, frozenset(chosen), new._replace(conditions=(*new.conditions, *chosen)))
