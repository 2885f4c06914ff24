"""discarded-key-update: the key that comes back must be used next."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.findings import Finding
from jaxlint.analysis.events.arrays import Discarded
from jaxlint.analysis.events.random import KeyConflict, KeyNotAdvanced
from jaxlint.diagnostics import Category, Confidence
from jaxlint.rules.random._fix_next_key import bind_next
from jaxlint.rules.random._uses import earlier_note, helper_request
from jaxlint.rules.rule import rule


@rule(
    "discarded-key-update",
    code="JX204",
    category=Category.SUSPICIOUS,
    on=(Discarded, KeyConflict, KeyNotAdvanced),
    fix=bind_next,
)
def discarded_key_update(event: Discarded | KeyConflict | KeyNotAdvanced) -> Iterator[Finding]:
    """The next key, returned by `split` or a helper, is discarded and the old key is used again."""
    if isinstance(event, Discarded):
        if event.function in ("jax.random.split", "jax.random.fold_in") and not event.is_shown:
            name = event.function.replace("jax.random.", "random.", 1)
            message = f"`{name}` returns new keys, which are discarded; the old key is unchanged"
            yield event.diagnostic(message, fix=event.fix_request(words=("statement",)))
    elif isinstance(event, KeyNotAdvanced):
        message = f"`{event.key.text}` is split, but the next key is discarded, so the next call gets the same subkeys"
        yield event.diagnostic(message, confidence=Confidence.LIKELY, fix=event.fix_request(words=("attribute",)))
    elif event.helper and event.sure:
        message = f"`{event.helper}` returned the next key, which was discarded; the old key repeats its numbers"
        yield event.diagnostic(message, notes=earlier_note(event), fix=helper_request(event))
