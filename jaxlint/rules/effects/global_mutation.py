"""global-mutation: traced code writes global names while tracing only."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.findings import Finding
from jaxlint.analysis.events.effects import NameStore
from jaxlint.diagnostics import Category, Confidence
from jaxlint.rules.effects._constants import diagnose
from jaxlint.rules.rule import rule


@rule("global-mutation", code="JX402", category=Category.CORRECTNESS, on=NameStore)
def global_mutation(store: NameStore) -> Iterator[Finding]:
    """Traced code writes a `global` or `nonlocal` name, or a module's attribute."""
    leaks = store.is_leak
    if not store.is_outside or not (store.is_lost or leaks):
        return
    if (store.kind == "nonlocal" and leaks) or ((store.is_cache or store.is_measure) and not leaks):
        return  # leaked-tracer speaks of the first; the second computes a constant, or counts traces, as meant
    message = f"the {store.kind} `{store.name}` is written once, during tracing, and not on later calls"
    if leaks:
        message = f"the {store.kind} `{store.name}` stores a tracer, which is invalid once tracing ends (leaked tracer)"
    yield diagnose(store, message, Confidence.CERTAIN)
