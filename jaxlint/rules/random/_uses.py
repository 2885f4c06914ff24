"""How the uses of a key are worded, and how sure a conflict between two of them is."""

from __future__ import annotations

from jaxlint.analysis.domain.findings import FindingNote, FixRequest, Place
from jaxlint.analysis.domain.state import ALONE, UNSEEN, KeyUse, Step
from jaxlint.analysis.events.random import KeyConflict
from jaxlint.diagnostics import Confidence

_VERBS = {"consume": "consumed", "split": "split", "fold": "folded", "pass": "passed on"}
_ASSUMED = "jaxlint assumes that a call with a key as its only argument draws from the key"
_UNSEEN = "jaxlint cannot see what `{}` runs, and assumes that it draws from the key"
_ONE_SIDE = "on one side of a test, `{}` still holds the key that was used; on the other side it holds another one"
_CELLS = "the uses are in different cells; examples that run one at a time may share a key on purpose"


def earlier_note(conflict: KeyConflict) -> tuple[FindingNote, ...]:
    """Where the key was used before and again, with the calls that lead there, and how to say that it is meant."""
    first = _how(conflict.earlier, f"first {_VERBS[conflict.earlier.action]}")
    calls = tuple(FindingNote("in this call", Place(s.path, s.at)) for s in _calls(conflict, conflict.earlier))
    again = conflict.use.chain[-1]
    inside = _how(conflict.use, f"again {_VERBS[conflict.use.action]}")
    second = (inside,) if Place(again.path, again.at) != conflict.place and not conflict.in_loop else ()
    across = (FindingNote(_CELLS, None),) if conflict.across_cells else ()
    return (first, *calls, *second, *across, *meant(conflict))


def meant(conflict: KeyConflict) -> tuple[FindingNote, ...]:
    """What a finding rests on that nobody has seen, and how to say that the reuse is meant."""
    unseen = [use.function for use in (conflict.earlier, conflict.use) if use.detail == UNSEEN]
    words = _UNSEEN.format(unseen[0]) if unseen else _ASSUMED
    if conflict.on_one_side:
        words = _ONE_SIDE.format(conflict.key.text)
    is_assumed = sureness(conflict) is Confidence.LIKELY and not conflict.only_divides
    assumed = (FindingNote(words, None),) if is_assumed else ()
    purpose = (FindingNote(conflict.purpose, None),) if conflict.purpose else ()
    return (*assumed, *purpose, FindingNote("if the reuse is intentional, mark it with `jax.random.clone(key)`", None))


def _how(use: KeyUse, what: str) -> FindingNote:
    """What was done to the key, by which function, and where."""
    step = use.chain[-1]
    function = use.function.replace("jax.random.", "random.", 1)
    return FindingNote(f"{what} by `{function}` here" if function else f"{what} here", Place(step.path, step.at))


def _calls(conflict: KeyConflict, use: KeyUse) -> list[Step]:
    """The calls between the invocation in which two uses part ways and one of them, innermost first."""
    inner = use.chain[:-1]
    start = next((n for n, step in enumerate(inner) if step.frame == conflict.frame.serial), len(inner))
    return [step for step in reversed(inner[start:]) if not conflict.in_loop]


def sureness(conflict: KeyConflict) -> Confidence:
    """Use by unseen code is likely where that is given nothing else; use in another cell is possible.

    A split after a draw is likely: no number repeats. After a model or a distribution drew, it is possible.
    """
    if conflict.sure:
        return Confidence.LIKELY if conflict.on_one_side else Confidence.CERTAIN
    if conflict.purpose:
        return Confidence.POSSIBLE
    unseen = [use for use in (conflict.earlier, conflict.use) if use.action == "pass"]
    likely = not conflict.across_cells and all(use.detail == ALONE for use in unseen)
    return Confidence.LIKELY if likely else Confidence.POSSIBLE


def uses_request(conflict: KeyConflict) -> FixRequest | None:
    """What a fix that tells the two uses apart needs, or None where they are not two calls of one function's code.

    The ordinals are the call that used the key first and the key in the second one (-1: it stands elsewhere); the
    words are the names that hold the key.
    """
    first = _call(conflict, conflict.earlier)
    if first is None or not conflict.is_single:
        return None
    at = conflict.key.at if conflict.key.frame is conflict.frame else -1
    return conflict.fix_request(first, at, words=conflict.names)


def helper_request(conflict: KeyConflict) -> FixRequest | None:
    """What a fix needs to bind the key that the last call of a function gave back; see `bind_next`."""
    last = _call(conflict, conflict.last)
    if last is None or conflict.position < 0:
        return None
    return conflict.fix_request(last, words=("helper", str(conflict.position), *conflict.names))


def _call(conflict: KeyConflict, earlier: KeyUse) -> int | None:
    """The call that made an earlier use, where it stands in the same run of the same code as the further one."""
    frame = conflict.frame
    is_here = any(step.frame == frame.serial and step.at == conflict.at for step in conflict.use.chain)
    own = (step.at for step in earlier.chain if step.frame == frame.serial and step.path == frame.path)
    return next(own, None) if is_here else None
