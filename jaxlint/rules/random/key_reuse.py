"""key-reuse: a PRNG key is used once."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.findings import Finding, FindingNote, Place
from jaxlint.analysis.events.random import KeyConflict, KeyHandedBack
from jaxlint.diagnostics import Category, Confidence
from jaxlint.rules.random._fix_threading import thread_uses
from jaxlint.rules.random._uses import earlier_note, sureness, uses_request
from jaxlint.rules.rule import rule


@rule(
    "key-reuse",
    code="JX201",
    category=Category.CORRECTNESS,
    on=(KeyConflict, KeyHandedBack),
    yields_to=("discarded-key-update",),
    fix=thread_uses,
)
def key_reuse(conflict: KeyConflict | KeyHandedBack) -> Iterator[Finding]:
    """One PRNG key is consumed twice on one path, or returned after use while a new key stays unused."""
    if isinstance(conflict, KeyHandedBack):
        if conflict.unread:
            yield _mixed_up(conflict)
        return
    if conflict.earlier.action in ("split", "fold") or (conflict.in_loop and not conflict.only_divides):
        return
    notes, fix = earlier_note(conflict), uses_request(conflict)
    yield conflict.diagnostic(_message(conflict), notes=notes, confidence=sureness(conflict), fix=fix)


def _message(conflict: KeyConflict) -> str:
    key, drew = conflict.key_text, conflict.earlier.function
    if conflict.only_divides:
        return f"{key} was already drawn from and is now split; JAX's key checker rejects that"
    if conflict.use.action == "split" and drew.startswith("jax.random."):
        return f"{key} was already split by `{drew.removeprefix('jax.')}`; splitting it again returns the same subkeys"
    return f"{key} was already used: the same key gives the same numbers again"


def _mixed_up(event: KeyHandedBack) -> Finding:
    step = event.use.chain[-1]
    message = f"{event.key_text} is returned after being used; drawing from it repeats the numbers"
    notes = (FindingNote("used here", Place(step.path, step.at)), FindingNote(f"`{event.unread}` is never used", None))
    return event.diagnostic(message, notes=notes, confidence=Confidence.LIKELY)
