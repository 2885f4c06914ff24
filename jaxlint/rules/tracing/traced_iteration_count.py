"""traced-iteration-count: Python cannot count to a value that JAX is tracing."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.events.tracing import IntegerNeeded
from jaxlint.analysis.findings import Finding
from jaxlint.diagnostics import Category
from jaxlint.rules.rule import rule


@rule("traced-iteration-count", code="JX303", category=Category.CORRECTNESS, on=IntegerNeeded)
def traced_iteration_count(need: IntegerNeeded) -> Iterator[Finding]:
    """`range()` of a value that JAX is tracing."""
    if need.use != "range":
        return
    message = f"`range()` needs the value of `{need.operand.text}`, which is traced"
    yield need.diagnostic(message, notes=need.operand.evidence, confidence=need.operand.confidence)
