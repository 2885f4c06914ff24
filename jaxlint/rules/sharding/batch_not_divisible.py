"""batch-not-divisible: the devices of an axis divide the dimension that is split over them."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.findings import Finding, FindingNote
from jaxlint.analysis.events.sharding import UnevenSplit
from jaxlint.diagnostics import Category
from jaxlint.rules.rule import rule


@rule("batch-not-divisible", code="JX756", category=Category.SUSPICIOUS, on=UnevenSplit)
def batch_not_divisible(split: UnevenSplit) -> Iterator[Finding]:
    """A dimension is split over a number of devices that does not divide its length."""
    length = f"dimension {split.dimension} of `{split.array.text}` has length {split.size}"
    message = f"{length}, not a multiple of the {split.devices} devices along {', '.join(map(repr, split.axes))}"
    note = FindingNote("each device holds an equal part, so the length must be a multiple of the device count", None)
    yield split.diagnostic(message, notes=(note,))
