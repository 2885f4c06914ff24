"""legacy-parallelism: `pmap`, where `jit` with shardings or `shard_map` serve."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.findings import Finding, FindingNote
from jaxlint.analysis.events.sharding import PerDevice
from jaxlint.diagnostics import Category
from jaxlint.rules.rule import rule


@rule("legacy-parallelism", code="JX754", category=Category.PEDANTIC, on=PerDevice)
def legacy_parallelism(mapped: PerDevice) -> Iterator[Finding]:
    """A function is mapped over devices by `pmap`."""
    message = f"`{mapped.function}` maps over an axis with one entry per device"
    note = FindingNote(
        "use `jax.jit` with shardings or `jax.shard_map`, which split arrays of any shape over any mesh", None
    )
    yield mapped.diagnostic(message, notes=(note,))
