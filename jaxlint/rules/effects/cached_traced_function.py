"""cached-traced-function: a cache keeps tracers alive."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.findings import Finding, FindingNote
from jaxlint.analysis.events.effects import CachedFunction
from jaxlint.diagnostics import Category
from jaxlint.rules.rule import rule


@rule("cached-traced-function", code="JX410", category=Category.CORRECTNESS, on=CachedFunction)
def cached_traced_function(call: CachedFunction) -> Iterator[Finding]:
    """A cached function that makes arrays is called in traced code, so the cache keeps tracers."""
    if call.trace is None or not call.returns_traced or any(operand.traced for operand in call.operands):
        return
    message = f"`{call.function}` is cached: its cache keeps arrays of this trace, which are invalid in later calls"
    called = FindingNote("called here, during tracing", call.place)
    yield call.diagnostic(message, notes=(called, *call.traced_by()), place=call.made_at)
