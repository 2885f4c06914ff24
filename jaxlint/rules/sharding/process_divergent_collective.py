"""process-divergent-collective: what all processes do together is behind no test of which process it is."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.findings import Finding, FindingNote
from jaxlint.analysis.events.sharding import DivergentCall
from jaxlint.diagnostics import Category, Confidence
from jaxlint.rules.rule import rule


@rule("process-divergent-collective", code="JX755", category=Category.CORRECTNESS, on=DivergentCall)
def process_divergent_collective(call: DivergentCall) -> Iterator[Finding]:
    """Only some processes make a call that needs all of them."""
    message = f"`{call.function}` needs all processes, but `{call.condition}` lets only some reach it"
    notes = (
        FindingNote("the processes that make the call wait forever for the others", None),
        FindingNote("processes diverge at this test", call.test),
    )
    confidence = Confidence.CERTAIN if call.is_sure else Confidence.LIKELY
    yield call.diagnostic(message, notes=notes, confidence=confidence)
