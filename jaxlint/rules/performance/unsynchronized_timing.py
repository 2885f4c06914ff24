"""unsynchronized-timing: a clock around JAX work is read again when the work is done."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.events.timing import TimedRegion
from jaxlint.analysis.findings import Finding, FindingNote
from jaxlint.diagnostics import Category, Confidence
from jaxlint.rules.rule import rule


@rule("unsynchronized-timing", code="JX801", category=Category.SUSPICIOUS, on=TimedRegion)
def unsynchronized_timing(region: TimedRegion) -> Iterator[Finding]:
    """A clock is read around JAX work that nothing waits for."""
    work = region.work.text
    message = f"`{region.text}` leaves out the work of `{work}`: it returns at once, and nothing waits for its result"
    note = FindingNote("JAX is given the work here; wait with `jax.block_until_ready` before the clock is read again", region.dispatched)
    yield region.diagnostic(message, notes=(note,), confidence=_confidence(region))


def _confidence(region: TimedRegion) -> Confidence:
    if region.is_named:
        return Confidence.POSSIBLE  # what is meant to be measured ends when the call returns
    return Confidence.LIKELY if region.is_light else Confidence.CERTAIN
