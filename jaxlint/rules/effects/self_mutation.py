"""self-mutation: a traced method changes its object while tracing only."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.findings import Finding
from jaxlint.analysis.domain.values import ClassValue, FunctionValue
from jaxlint.analysis.events.effects import AttributeStore, Mutation
from jaxlint.diagnostics import Category
from jaxlint.rules.effects._constants import diagnose
from jaxlint.rules.rule import rule


@rule("self-mutation", code="JX404", category=Category.CORRECTNESS, on=(AttributeStore, Mutation))
def self_mutation(store: AttributeStore | Mutation) -> Iterator[Finding]:
    """Traced code writes an attribute of `self` or of an object from outside."""
    roles = ("self",) if isinstance(store, Mutation) else ("self", "captured")
    leaks = store.is_leak
    if store.role not in roles or not (store.is_lost or leaks):
        return
    if store.trace is not None and store.trace.merges_objects:
        return  # the transform carries the state of modules in and out
    if isinstance(store.receiver.value, FunctionValue | ClassValue) and leaks:
        return  # leaked-tracer speaks of it
    if store.is_cache and not leaks:
        return  # computed once, as meant
    name = f"{store.receiver.text}.{store.name}" if isinstance(store, AttributeStore) else store.receiver.text
    what = (
        "stores a tracer, which is invalid once tracing ends (leaked tracer)"
        if leaks
        else "is written once, during tracing, and not on later calls"
    )
    yield diagnose(store, f"`{name}` {what}", store.certainty)
