"""in-place-item-assignment: arrays of JAX cannot be assigned into."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.events.arrays import ItemStore
from jaxlint.analysis.findings import Finding
from jaxlint.diagnostics import Category
from jaxlint.rules.arrays._at_update import set_item
from jaxlint.rules.arrays._immutable import immutable_confidence
from jaxlint.rules.rule import rule


@rule("in-place-item-assignment", code="JX101", category=Category.CORRECTNESS, on=ItemStore, fix=set_item)
def in_place_item_assignment(store: ItemStore) -> Iterator[Finding]:
    """`x[i] = v` on an array of JAX."""
    if store.op:
        return
    confidence = immutable_confidence(store.base.value, views=False)
    if confidence is not None:
        message = f"`{store.base.text}` is an array of JAX, which cannot be assigned into; use `.at[...].set(...)`"
        notes = store.base.evidence
        yield store.diagnostic(message, notes=notes, confidence=confidence, fix=store.fix_request())
