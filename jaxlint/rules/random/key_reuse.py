"""key-reuse: a PRNG key is used once."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.findings import Finding, FindingNote, Place
from jaxlint.analysis.domain.state import KeyUse
from jaxlint.analysis.domain.values import Key
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
        so = "JAX's key checker rejects that" if _is_checked(conflict) else "each key is for one use"
        return f"{key} was already drawn from and is now split; {so}"
    if conflict.use.action == "split" and drew.startswith("jax.random."):
        used = f"{key} was already used by `{drew.removeprefix('jax.')}`"
        return f"{used}, which splits it as well; splitting it again returns the same subkeys"
    if drew and _is_of_jax(conflict.earlier) != _is_of_jax(conflict.use):
        return f"{key} was already used by `{drew.removeprefix('jax.')}`; each key is for one use"
    return f"{key} was already used: the same key gives the same numbers again"


def _is_of_jax(use: KeyUse) -> bool:
    """Whether a function of JAX uses the key itself: a model may derive keys of its own, so that no number repeats."""
    return use.function.startswith("jax.")


def _is_checked(conflict: KeyConflict) -> bool:
    """Whether `jax_debug_key_reuse` sees the two uses: of keys that have the type of keys, by functions of JAX.

    It sees no raw bits. Frameworks may only fold into the key that they are given, which it allows.
    """
    key = conflict.key.value
    return isinstance(key, Key) and key.typed and conflict.earlier.function.startswith("jax.random.")


def _mixed_up(event: KeyHandedBack) -> Finding:
    step = event.use.chain[-1]
    message = f"{event.key_text} is returned after being used; drawing from it repeats the numbers"
    notes = (FindingNote("used here", Place(step.path, step.at)), FindingNote(f"`{event.unread}` is never used", None))
    return event.diagnostic(message, notes=notes, confidence=Confidence.LIKELY)
