"""unsharded-device-put: an array that is split over devices goes to each of them from the host."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.findings import Finding, FindingNote
from jaxlint.analysis.events.sharding import UnshardedPut
from jaxlint.diagnostics import Category
from jaxlint.rules.rule import rule


@rule("unsharded-device-put", code="JX753", category=Category.PEDANTIC, on=UnshardedPut)
def unsharded_device_put(split: UnshardedPut) -> Iterator[Finding]:
    """A host array is put whole on one device before it is split over several."""
    message = f"`{split.array.text}` is split over the mesh from one device, which must first hold all of it"
    notes = (
        FindingNote(f"`{split.function}` puts all of it on the default device", split.put),
        FindingNote(
            "pass the NumPy array to `jax.device_put` with the sharding, which sends each device its part", None
        ),
    )
    yield split.diagnostic(message, notes=notes)
