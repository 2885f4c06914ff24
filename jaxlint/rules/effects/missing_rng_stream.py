"""missing-rng-stream: a Linen model that draws random numbers needs a key for them."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.findings import Finding, FindingNote
from jaxlint.analysis.events.frameworks import MissingStream
from jaxlint.diagnostics import Category, Confidence
from jaxlint.rules.rule import rule


@rule("missing-rng-stream", code="JX413", category=Category.CORRECTNESS, on=MissingStream)
def missing_rng_stream(run: MissingStream) -> Iterator[Finding]:
    """`model.apply` without a key for the dropout, or other random numbers, of the model."""
    message = f"the model draws from `{run.stream}`, but `rngs` has no key for it: Flax raises"
    notes = (
        FindingNote("drawn here", run.drawn_at),
        FindingNote(f'give one: `rngs={{"{run.stream}": key}}`, or run the model in its deterministic mode', None),
    )
    yield run.diagnostic(message, notes=notes, confidence=Confidence.LIKELY)
