"""Where two uses of a key part ways, and where it was first used: what its later uses have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from jaxlint.analysis.domain.findings import Place
from jaxlint.analysis.domain.idents import Again, AttributeOf, MadeAt
from jaxlint.analysis.domain.state import ALONE, WEIGHTED, KeyUse, Step
from jaxlint.analysis.source.reaching_definitions import call_at
from jaxlint.analysis.typestate.equal_draws import INITIALIZING, last_name
from jaxlint.syntax import ir, walks

if TYPE_CHECKING:
    from jaxlint.analysis.domain.frames import Frame
    from jaxlint.analysis.domain.idents import Ident
    from jaxlint.analysis.machine.interpreter import Interpreter

_OVERRIDES = "several classes define this method; an object of this class stores the next key, as this method does"
_PROPERTY = "jaxlint does not see the class of the object; `{}` may be a property that gives a new key each time"

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


def of_an_unseen_class(it: Interpreter, frame: Frame, ident: Ident, at: int) -> str:
    """Why a call may get another key: it reads an attribute of an object that code out of sight made.

    The attribute may be a property that makes a new key each time that it is read; what a variable keeps is one key.
    """
    if not isinstance(ident, AttributeOf) or not isinstance(_owner(ident), MadeAt):
        return ""
    call = call_at(it, frame, at)
    read = None if call is None else next((n for n in walks.nodes(_given_to(call)) if _reads(n, ident.name)), None)
    return "" if read is None else _PROPERTY.format(walks.dotted(read) or ident.name)


def _given_to(call: ir.Call) -> tuple[ir.Expr, ...]:
    """The arguments of a call."""
    return (*call.args, *(value for _, value in call.keywords))


def _reads(node: object, name: str) -> bool:
    return isinstance(node, ir.Attribute) and node.attr == name


def _owner(ident: Ident) -> Ident:
    """The object that an attribute, or one of such an attribute, belongs to, wherever a call like another made it."""
    while isinstance(ident, AttributeOf | Again):
        ident = ident.base if isinstance(ident, AttributeOf) else ident.before
    return ident


def _draws_once(use: KeyUse) -> bool:
    """Whether a method of a framework uses a key to draw parameters or a sample, and derives no key that it keeps."""
    return last_name(use.function) in INITIALIZING | _SAMPLING


def only_divides(it: Interpreter, new: KeyUse, earlier: KeyUse) -> bool:
    """Whether one of two uses splits the key and the other draws from it: no number repeats.

    What splits the key itself, as `randint` and the constructors of modules do, draws from the same subkeys; `choice`
    with weights does not split it. Code that is not seen, as that of `env.reset(key)`, may do either before the split;
    the parent of a split is not meant for it.
    """
    if earlier.action == "pass" and new.action == "split":
        return bool(earlier.detail == ALONE)
    draw, split = (earlier, new) if new.action == "split" else (new, earlier)
    if draw.action != "consume" or split.action != "split":
        return False
    if it.api.has(draw.function, "splits-key") and draw.detail != WEIGHTED:
        return False
    return it.api.is_of(draw.function, "core") or _draws_once(draw)


def forgets_a_key(new: KeyUse, earlier: KeyUse) -> bool:
    """Whether nothing reads one of the keys that a split gives, so that the split key was used in its place.

    `key, _ = split(key)` forgets none: that is how code goes on to the next key.
    """
    return any(use.unread and not use.unread.startswith("_") for use in (earlier, new))


def draws_by_framework(new: KeyUse, earlier: KeyUse) -> bool:
    """Whether the one of two uses that draws is a method of a framework, which may only fold into the key."""
    return _draws_once(earlier if new.action == "split" else new)


def divided(new: KeyUse, earlier: KeyUse) -> str:
    """Why it does no harm that one of two uses splits the key and the other draws; nothing if a subkey is forgotten."""
    return "" if forgets_a_key(new, earlier) else ONLY_DIVIDED
