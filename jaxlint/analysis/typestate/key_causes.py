"""Where two uses of a key part ways, and where it was first used: what its later uses have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from jaxlint.analysis.domain.findings import Place
from jaxlint.analysis.domain.idents import AttributeOf
from jaxlint.analysis.domain.state import KeyUse, Step
from jaxlint.analysis.typestate.equal_draws import INITIALIZING, last_name

if TYPE_CHECKING:
    from jaxlint.analysis.domain.frames import Frame
    from jaxlint.analysis.domain.idents import Ident
    from jaxlint.analysis.machine.interpreter import Interpreter

_OVERRIDES = "several classes define this method; an object of this class stores the next key, as this method does"

#: Methods of distributions that draw.
_SAMPLING: Final = frozenset({"rsample", "sample", "sample_and_log_prob"})

#: Why a key that a model or distribution drew from and that is then split does no harm.
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


def draws_once(use: KeyUse) -> bool:
    """Whether a method of a framework uses a key to draw parameters or a sample, and derives no key that it keeps."""
    return last_name(use.function) in INITIALIZING | _SAMPLING


def only_divides(it: Interpreter, new: KeyUse, earlier: KeyUse) -> bool:
    """Whether `new` splits a key that was drawn from: the subkeys give other numbers than the key gave.

    A module's constructor derives subkeys itself, and those are the same.
    """
    is_draw = it.api.is_of(earlier.function, "core") or draws_once(earlier)
    return new.action == "split" and earlier.action == "consume" and is_draw
