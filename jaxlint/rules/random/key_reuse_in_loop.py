"""key-reuse-in-loop: a key from outside a loop gives the same numbers at each pass."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.findings import Finding
from jaxlint.analysis.events.random import KeyConflict
from jaxlint.diagnostics import Category
from jaxlint.rules.random._fix_loops import split_each_pass
from jaxlint.rules.random._uses import meant, sureness, uses_request
from jaxlint.rules.rule import rule


@rule("key-reuse-in-loop", code="JX202", category=Category.CORRECTNESS, on=KeyConflict, fix=split_each_pass)
def key_reuse_in_loop(conflict: KeyConflict) -> Iterator[Finding]:
    """A key from outside a loop or comprehension is used in every iteration."""
    if not conflict.in_loop or conflict.only_divides:
        return
    message = f"{conflict.key_text} comes from outside the loop, so every iteration draws the same numbers"
    notes, fix = meant(conflict), None if conflict.position >= 0 else uses_request(conflict)
    yield conflict.diagnostic(message, notes=notes, confidence=sureness(conflict), fix=fix)
