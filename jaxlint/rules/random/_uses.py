"""How the uses of a key are worded, and how sure a conflict between two of them is."""

from __future__ import annotations

from jaxlint.analysis.events.random import KeyConflict
from jaxlint.analysis.findings import FindingNote, Place
from jaxlint.diagnostics import Confidence

_VERBS = {"consume": "consumed", "split": "split", "fold": "folded", "pass": "passed on"}


def earlier_note(conflict: KeyConflict) -> tuple[FindingNote, ...]:
    """Where the key was used before, and how to say that the reuse is meant."""
    step = conflict.earlier.chain[-1]
    function = conflict.earlier.function.replace("jax.random.", "random.", 1)
    how = f" by `{function}`" if function else ""
    first = FindingNote(f"first {_VERBS[conflict.earlier.action]}{how} here", Place(step.path, step.at))
    meant = FindingNote("where the reuse is meant, say so with `jax.random.clone(key)`", None)
    return (first, meant)


def sureness(conflict: KeyConflict) -> Confidence:
    """A use by code we cannot see into is only possibly one."""
    return Confidence.CERTAIN if conflict.sure else Confidence.POSSIBLE
