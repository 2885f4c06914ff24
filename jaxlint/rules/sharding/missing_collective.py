"""missing-collective: what each device computes of its part of the batch is brought together."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.findings import Finding, FindingNote
from jaxlint.analysis.events.sharding import MissingCollective, ShardLoss
from jaxlint.diagnostics import Category, Confidence
from jaxlint.rules.rule import rule


@rule("missing-collective", code="JX757", category=Category.SUSPICIOUS, on=(MissingCollective, ShardLoss))
def missing_collective(event: MissingCollective | ShardLoss) -> Iterator[Finding]:
    """The result of one device on its part of the batch is used as the result of all devices."""
    if isinstance(event, ShardLoss):
        message = f"`{event.text}` is the loss of one device; {event.function} sees a part of the batch on each device"
        note = FindingNote(
            "use `jax.lax.pmean` in the mapped function, or the mean of all entries, as the loss of the batch", None
        )
        yield event.diagnostic(message, notes=(note,), confidence=Confidence.LIKELY)
        return
    message = (
        f"the gradient of {event.function} covers only each device's own data; nothing averages it along {event.axis!r}"
    )
    note = FindingNote("the copies of the parameters diverge between devices", None)
    yield event.diagnostic(message, notes=(note, *event.traced_by()), confidence=Confidence.LIKELY)
