"""argument-mutation: under jit an argument is a copy: changes to it are lost."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.findings import Finding
from jaxlint.analysis.events.effects import AttributeStore, Mutation
from jaxlint.diagnostics import Category, Confidence
from jaxlint.rules.rule import rule


@rule("argument-mutation", code="JX405", category=Category.SUSPICIOUS, on=(Mutation, AttributeStore))
def argument_mutation(change: Mutation | AttributeStore) -> Iterator[Finding]:
    """A traced function changes a container or pytree argument in place and does not return it."""
    trace = change.trace
    if trace is None or change.role != "argument" or (change.read_later and not change.is_missed):
        return
    if isinstance(change, AttributeStore) and (not change.is_of_copy or trace.merges_objects):
        return
    message = f"`{change.receiver.text}` is a copy that JAX made for the trace, so the caller's object does not change"
    best = _best(change)
    confidence = max(change.certainty, best, key=lambda c: c.rank)
    yield change.diagnostic(message, notes=change.traced_by(), confidence=confidence)


def _best(change: Mutation | AttributeStore) -> Confidence:
    """A method that keeps state is called where that is handed back and, to predict, where it is not."""
    if isinstance(change, AttributeStore) and change.is_by_method:
        return Confidence.POSSIBLE
    return Confidence.LIKELY if change.read_later else Confidence.CERTAIN
