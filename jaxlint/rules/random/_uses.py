"""How the uses of a key are worded, and how sure a conflict between two of them is."""

from __future__ import annotations

from jaxlint.analysis.domain.findings import FindingNote, FixRequest, Place
from jaxlint.analysis.domain.state import KeyUse
from jaxlint.analysis.events.random import KeyConflict
from jaxlint.diagnostics import Confidence

_VERBS = {"consume": "consumed", "split": "split", "fold": "folded", "pass": "passed on"}
_CELLS = "the uses stand in different cells; examples that are run one by one may start from the same key on purpose"


def earlier_note(conflict: KeyConflict) -> tuple[FindingNote, ...]:
    """Where the key was used before, and how to say that the reuse is meant."""
    step = conflict.earlier.chain[-1]
    function = conflict.earlier.function.replace("jax.random.", "random.", 1)
    how = f" by `{function}`" if function else ""
    first = FindingNote(f"first {_VERBS[conflict.earlier.action]}{how} here", Place(step.path, step.at))
    meant = FindingNote("where the reuse is meant, say so with `jax.random.clone(key)`", None)
    return (first, FindingNote(_CELLS, None), meant) if conflict.across_cells else (first, meant)


def sureness(conflict: KeyConflict) -> Confidence:
    """A use by code we cannot see into is only possibly one, and so is one in another cell."""
    return Confidence.CERTAIN if conflict.sure else Confidence.POSSIBLE


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
