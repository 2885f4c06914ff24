"""fold-in-collision: `split` and `fold_in` of one key give the same subkeys."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.findings import Finding
from jaxlint.analysis.events.random import KeyConflict
from jaxlint.diagnostics import Category
from jaxlint.rules.random._fix_threading import split_off
from jaxlint.rules.random._uses import earlier_note, sureness, uses_request
from jaxlint.rules.rule import rule


@rule("fold-in-collision", code="JX210", category=Category.SUSPICIOUS, on=KeyConflict, fix=split_off)
def fold_in_collision(conflict: KeyConflict) -> Iterator[Finding]:
    """`split(key, n)` and `fold_in(key, i)` on one key."""
    actions = {conflict.earlier.action, conflict.use.action}
    if actions == {"fold"} and not conflict.in_loop:
        message = f"{conflict.key_text} was already folded with the same number, so `fold_in` returns the same key"
        fix = uses_request(conflict)
        yield conflict.diagnostic(message, notes=earlier_note(conflict), confidence=sureness(conflict), fix=fix)
    if actions != {"split", "fold"}:
        return
    message = f"{conflict.key_text} is both split and folded: `split(key, n)[i]` and `fold_in(key, i)` are the same key"
    fix = None if conflict.in_loop else uses_request(conflict)
    yield conflict.diagnostic(message, notes=earlier_note(conflict), confidence=sureness(conflict), fix=fix)
