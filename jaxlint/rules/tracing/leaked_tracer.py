"""leaked-tracer: a traced value must not outlive its trace."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.findings import Finding
from jaxlint.analysis.domain.values import ClassValue, FunctionValue
from jaxlint.analysis.events.effects import AttributeStore, Mutation, NameStore
from jaxlint.diagnostics import Category, Confidence
from jaxlint.rules.rule import rule


@rule(
    "leaked-tracer",
    code="JX313",
    category=Category.CORRECTNESS,
    on=(NameStore, Mutation, AttributeStore),
    yields_to=("global-mutation", "captured-mutation", "self-mutation"),
)
def leaked_tracer(store: NameStore | Mutation | AttributeStore) -> Iterator[Finding]:
    """A traced value stored in a global, an outer container or an attribute."""
    value = store.value
    if value is None or not store.is_leak or not _is_outside(store):
        return
    confidence = value.confidence
    if not isinstance(store, NameStore) and store.certainty is Confidence.POSSIBLE and not _is_code(store):
        confidence = Confidence.POSSIBLE
    holder = f"`{store.name}`" if isinstance(store, NameStore) else f"`{store.receiver.text}`"
    message = f"`{value.text}` is a tracer stored in {holder}, which outlives the trace"
    yield store.diagnostic(message, notes=value.evidence, confidence=confidence)


def _is_code(store: Mutation | AttributeStore) -> bool:
    return isinstance(store.receiver.value, FunctionValue | ClassValue)


def _is_outside(store: NameStore | Mutation | AttributeStore) -> bool:
    if isinstance(store, NameStore):
        return store.is_outside
    return store.role in ("captured", "self")
