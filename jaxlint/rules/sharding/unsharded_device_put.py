"""unsharded-device-put: an array that is split over devices goes to each of them from the host."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.findings import Finding, FindingNote
from jaxlint.analysis.events.sharding import UnshardedPut
from jaxlint.diagnostics import Category
from jaxlint.rules.rule import rule


@rule("unsharded-device-put", code="JX753", category=Category.PEDANTIC, on=UnshardedPut)
def unsharded_device_put(split: UnshardedPut) -> Iterator[Finding]:
    """An array from the host is split over devices once it lies whole on one of them."""
    message = f"`{split.array.text}` is split over the mesh from one device, which has to hold all of it first"
    notes = (
        FindingNote(f"`{split.function}` puts it whole on the default device", split.put),
        FindingNote("`jax.device_put` with the sharding takes an array of NumPy, and sends each device its part", None),
    )
    yield split.diagnostic(message, notes=notes)
