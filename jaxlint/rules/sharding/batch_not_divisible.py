"""batch-not-divisible: the devices of an axis divide the dimension that is split over them."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.findings import Finding, FindingNote
from jaxlint.analysis.events.sharding import UnevenSplit
from jaxlint.diagnostics import Category
from jaxlint.rules.rule import rule


@rule("batch-not-divisible", code="JX756", category=Category.SUSPICIOUS, on=UnevenSplit)
def batch_not_divisible(split: UnevenSplit) -> Iterator[Finding]:
    """A dimension is split over a number of devices that does not divide it."""
    axes, array = ", ".join(map(repr, split.axes)), split.array.text
    message = f"dimension {split.dimension} of `{array}` is {split.size} long, but {axes} has {split.devices} devices"
    note = FindingNote("each device gets an equal part, so that the length must be a multiple of their number", None)
    yield split.diagnostic(message, notes=(note,))
