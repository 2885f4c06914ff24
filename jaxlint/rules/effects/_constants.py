"""Stores of a constant: once is as good as each time, unless other code takes it back between the calls."""

from __future__ import annotations

from jaxlint.analysis.domain.findings import Finding, FindingNote, FixRequest
from jaxlint.analysis.events.effects import AttributeStore, Mutation, NameStore
from jaxlint.diagnostics import Confidence

_SAME = "it has the same effect each time, so once may be enough"


def diagnose(
    store: NameStore | AttributeStore | Mutation, message: str, confidence: Confidence, fix: FixRequest | None = None
) -> Finding:
    """The finding about a store, with the assumption behind one that leaves the same each time."""
    notes = store.traced_by()
    if store.is_constant and not store.is_leak:
        notes, confidence = (*notes, FindingNote(_SAME, None)), Confidence.POSSIBLE
    return store.diagnostic(message, notes=notes, confidence=confidence, fix=fix)
