"""in-place-item-assignment: arrays of JAX cannot be assigned into."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.findings import Finding, NoFix
from jaxlint.analysis.events.arrays import ItemStore
from jaxlint.diagnostics import Category
from jaxlint.rules.arrays._fix_at_update import set_item
from jaxlint.rules.arrays._stores import report
from jaxlint.rules.rule import rule


@rule("in-place-item-assignment", code="JX101", category=Category.CORRECTNESS, on=ItemStore, fix=set_item)
def in_place_item_assignment(store: ItemStore) -> Iterator[Finding | NoFix]:
    """`x[i] = v` on a JAX array."""
    if not store.op:
        yield from report(store, "assigned into")
