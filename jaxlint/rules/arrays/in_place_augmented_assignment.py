"""in-place-augmented-assignment: arrays of JAX cannot be updated in place."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.findings import Finding, NoFix
from jaxlint.analysis.events.arrays import ItemStore
from jaxlint.diagnostics import Category
from jaxlint.rules.arrays._fix_at_update import augment_item
from jaxlint.rules.arrays._stores import report
from jaxlint.rules.rule import rule


@rule("in-place-augmented-assignment", code="JX102", category=Category.CORRECTNESS, on=ItemStore, fix=augment_item)
def in_place_augmented_assignment(store: ItemStore) -> Iterator[Finding | NoFix]:
    """`x[i] += v` (any operator) on a JAX array."""
    if store.op not in ("", "del"):
        yield from report(store, "updated in place")
