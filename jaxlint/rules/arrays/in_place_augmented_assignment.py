"""in-place-augmented-assignment: arrays of JAX cannot be updated in place."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.events.arrays import ItemStore
from jaxlint.analysis.findings import Finding
from jaxlint.diagnostics import Category
from jaxlint.rules.arrays._immutable import immutable_confidence
from jaxlint.rules.rule import rule

_METHODS = {"+": "add", "-": "subtract", "*": "multiply", "/": "divide", "**": "power"}


@rule("in-place-augmented-assignment", code="JX102", category=Category.CORRECTNESS, on=ItemStore)
def in_place_augmented_assignment(store: ItemStore) -> Iterator[Finding]:
    """`x[i] += v` (any operator) on an array of JAX."""
    if store.op in ("", "del"):
        return
    confidence = immutable_confidence(store.base.value, views=False)
    if confidence is not None:
        method = _METHODS.get(store.op, "set")
        message = (
            f"`{store.base.text}` is an array of JAX, which cannot be updated in place; use `.at[...].{method}(...)`"
        )
        yield store.diagnostic(message, notes=store.base.evidence, confidence=confidence)
