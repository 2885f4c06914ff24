"""key-reuse: a PRNG key is used once."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.findings import Finding
from jaxlint.analysis.events.random import KeyConflict
from jaxlint.diagnostics import Category
from jaxlint.rules.random._fix_threading import thread_uses
from jaxlint.rules.random._uses import earlier_note, sureness, uses_request
from jaxlint.rules.rule import rule


@rule(
    "key-reuse",
    code="JX201",
    category=Category.CORRECTNESS,
    on=KeyConflict,
    yields_to=("discarded-key-update",),
    fix=thread_uses,
)
def key_reuse(conflict: KeyConflict) -> Iterator[Finding]:
    """One PRNG key consumed twice on one path."""
    if conflict.in_loop or conflict.earlier.action in ("split", "fold"):
        return
    message = f"`{conflict.key_text}` was already used: the same key gives the same numbers again"
    notes, fix = earlier_note(conflict), uses_request(conflict)
    yield conflict.diagnostic(message, notes=notes, confidence=sureness(conflict), fix=fix)
