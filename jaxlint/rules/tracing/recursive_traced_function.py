"""recursive-traced-function: a traced function that calls itself never ends."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.findings import Finding
from jaxlint.analysis.events.tracing import RecursiveCall
from jaxlint.diagnostics import Category
from jaxlint.rules.rule import rule


@rule("recursive-traced-function", code="JX315", category=Category.CORRECTNESS, on=RecursiveCall)
def recursive_traced_function(call: RecursiveCall) -> Iterator[Finding]:
    """Recursion in traced code without a static test before it."""
    message = f"`{call.function}` calls itself during tracing, and no static test ends the recursion"
    yield call.diagnostic(message, notes=call.traced_by())
