"""mixed-committed-devices: the arrays of one computation were put on the same devices."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.findings import Finding, FindingNote
from jaxlint.analysis.events.sharding import MixedDevices
from jaxlint.diagnostics import Category
from jaxlint.rules.rule import rule


@rule("mixed-committed-devices", code="JX759", category=Category.SUSPICIOUS, on=MixedDevices)
def mixed_committed_devices(mixed: MixedDevices) -> Iterator[Finding]:
    """One operation uses two arrays that were put on different devices."""
    first, second = mixed.first.text, mixed.second.text
    both = f"on `{mixed.first_on}`", f"on `{mixed.second_on}`"
    if first == second:
        message = f"`{first}` holds arrays {both[0]} and {both[1]}, and JAX moves neither"
    else:
        message = f"`{first}` is {both[0]}, but `{second}` is {both[1]}, and JAX moves neither"
    notes = (
        FindingNote(f"`{mixed.first_on}` is chosen here", mixed.first_put),
        FindingNote(f"`{mixed.second_on}` is chosen here", mixed.second_put),
    )
    yield mixed.diagnostic(message, notes=notes)
