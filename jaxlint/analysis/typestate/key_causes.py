"""Where two uses of a key part ways, and where it was first used: what its later uses have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from jaxlint.analysis.domain.findings import Place
from jaxlint.analysis.domain.idents import AttributeOf
from jaxlint.analysis.domain.state import ALONE, KeyUse, Step
from jaxlint.analysis.typestate.equal_draws import INITIALIZING, last_name

if TYPE_CHECKING:
    from jaxlint.analysis.domain.frames import Frame
    from jaxlint.analysis.domain.idents import Ident
    from jaxlint.analysis.machine.interpreter import Interpreter

_OVERRIDES = "several classes define this method; an object of this class stores the next key, as this method does"

#: Methods of distributions that draw.
_SAMPLING: Final = frozenset({"rsample", "sample", "sample_and_log_prob"})

#: Why it may do no harm that a key is drawn from and split.
ONLY_DIVIDED: Final = "the subkeys give other numbers than the key gives, so nothing repeats"


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


def _draws_once(use: KeyUse) -> bool:
    """Whether a method of a framework uses a key to draw parameters or a sample, and derives no key that it keeps."""
    return last_name(use.function) in INITIALIZING | _SAMPLING


def only_divides(it: Interpreter, new: KeyUse, earlier: KeyUse) -> bool:
    """Whether one of two uses splits the key and the other draws from it: no number repeats.

    What splits the key itself, as `randint` and the constructors of modules do, draws from the same subkeys. Code that
    is not seen, as that of `env.reset(key)`, may do either before the split; the parent of a split is not meant for it.
    """
    if earlier.action == "pass" and new.action == "split":
        return bool(earlier.detail == ALONE)
    draw, split = (earlier, new) if new.action == "split" else (new, earlier)
    if draw.action != "consume" or split.action != "split" or it.api.has(draw.function, "splits-key"):
        return False
    return it.api.is_of(draw.function, "core") or _draws_once(draw)


def forgets_a_key(new: KeyUse, earlier: KeyUse) -> bool:
    """Whether nothing reads one of the keys that a split gives, so that the split key was used in its place.

    `key, _ = split(key)` forgets none: that is how code goes on to the next key.
    """
    return any(use.unread and not use.unread.startswith("_") for use in (earlier, new))


def divided(new: KeyUse, earlier: KeyUse) -> str:
    """Why it does no harm that one of two uses splits the key and the other draws; nothing if a subkey is forgotten."""
    return "" if forgets_a_key(new, earlier) else ONLY_DIVIDED
