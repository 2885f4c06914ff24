"""process-divergent-collective: what all processes do together is behind no test of which process it is."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.findings import Finding, FindingNote
from jaxlint.analysis.events.sharding import DivergentCall
from jaxlint.diagnostics import Category, Confidence
from jaxlint.rules.rule import rule


@rule("process-divergent-collective", code="JX755", category=Category.CORRECTNESS, on=DivergentCall)
def process_divergent_collective(call: DivergentCall) -> Iterator[Finding]:
    """A call that needs all processes is made by some of them only."""
    message = f"`{call.function}` needs all processes, but `{call.condition}` lets only some of them come here"
    notes = (
        FindingNote("those that make the call wait for the others, which never do", None),
        FindingNote("processes part ways at this test", call.test),
    )
    confidence = Confidence.CERTAIN if call.is_sure else Confidence.LIKELY
    yield call.diagnostic(message, notes=notes, confidence=confidence)
