"""immutable-collection: a Linen model that updates its state must be run with that state mutable."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.findings import Finding, FindingNote
from jaxlint.analysis.events.frameworks import ImmutableCollection
from jaxlint.diagnostics import Category, Confidence
from jaxlint.rules.rule import rule


@rule("immutable-collection", code="JX414", category=Category.CORRECTNESS, on=ImmutableCollection)
def immutable_collection(run: ImmutableCollection) -> Iterator[Finding]:
    """`model.apply` of a model that updates running statistics, which `mutable` does not name."""
    why = "because `mutable` does not name it" if run.is_among_others else "without `mutable`"
    message = f"the model updates `{run.collection}`, which is read-only {why}; Flax raises"
    notes = (
        FindingNote("updated here", run.updated_at),
        FindingNote(f'request it: `outputs, updates = model.apply(..., mutable=["{run.collection}"])`', None),
    )
    yield run.diagnostic(message, notes=notes, confidence=Confidence.LIKELY)
