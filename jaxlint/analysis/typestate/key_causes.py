"""Where two uses of a key part ways, and where it was first used: what its later uses have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from jaxlint.analysis.domain.findings import Place
from jaxlint.analysis.domain.idents import AttributeOf
from jaxlint.analysis.domain.state import KeyUse, Step

if TYPE_CHECKING:
    from jaxlint.analysis.domain.frames import Frame
    from jaxlint.analysis.domain.idents import Ident

_OVERRIDES = "several classes define this method; an object of this class stores the next key, as this method does"

#: Why a key that is drawn from and then split does no harm.
ONLY_DIVIDED: Final = "the subkeys give other numbers than the key gave, so nothing repeats"


def divergence(theirs: tuple[Step, ...], mine: tuple[Step, ...]) -> Step:
    """The step of `mine` in the last invocation that both chains of calls share."""
    shared = mine[0]
    for step, other in zip(mine, theirs):
        if step.frame != other.frame:
            break
        shared = step
    return shared


def first_use(uses: tuple[KeyUse, ...], chain: tuple[Step, ...]) -> Place:
    """Where a key with these uses was used first, as seen from a later use of it."""
    step = divergence(chain, uses[0].chain)
    return Place(step.path, step.at)


def of_an_override(frame: Frame, ident: Ident) -> str:
    """Why an object may hold another key by now: only an annotation tells its class, and a method below stores one."""
    is_override = any(caller.caveats.one_of_overrides for caller in frame.callers())
    return _OVERRIDES if is_override and isinstance(ident, AttributeOf) else ""
