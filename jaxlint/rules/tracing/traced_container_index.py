"""traced-container-index: Python containers cannot be indexed by a traced value."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.events.tracing import IntegerNeeded
from jaxlint.analysis.findings import Finding
from jaxlint.diagnostics import Category
from jaxlint.rules.rule import rule


@rule("traced-container-index", code="JX310", category=Category.CORRECTNESS, on=IntegerNeeded)
def traced_container_index(need: IntegerNeeded) -> Iterator[Finding]:
    """A traced value indexes or slices a list, tuple, string or range."""
    if need.use not in ("index", "slice"):
        return
    verb = "slice" if need.use == "slice" else "index"
    message = f"a {need.container} needs a Python integer to {verb} it, but `{need.operand.text}` is traced"
    yield need.diagnostic(message, notes=need.operand.evidence, confidence=need.operand.confidence)
