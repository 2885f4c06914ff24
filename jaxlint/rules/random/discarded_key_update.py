"""discarded-key-update: the key that comes back must be used next."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.events import Discarded
from jaxlint.analysis.findings import Finding
from jaxlint.diagnostics import Category
from jaxlint.rules.rule import rule

@rule("discarded-key-update", code="JX204", category=Category.SUSPICIOUS, on=Discarded)
def discarded_key_update(statement: Discarded) -> Iterator[Finding]:
    """The keys that `split` or `fold_in` gave, thrown away."""
    if statement.function not in ("jax.random.split", "jax.random.fold_in"):
        return
    name = statement.function.replace("jax.random.", "random.", 1)
    message = f"`{name}` returns new keys, which are thrown away: the old key stays as it was"
    yield statement.diagnostic(message)
