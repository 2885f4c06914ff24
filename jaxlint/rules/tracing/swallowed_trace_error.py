"""swallowed-trace-error: a handler in traced code decides while tracing, once and for all."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.findings import Finding, FindingNote
from jaxlint.analysis.events.tracing import SwallowedError
from jaxlint.diagnostics import Category, Confidence
from jaxlint.rules.rule import rule


@rule("swallowed-trace-error", code="JX314", category=Category.SUSPICIOUS, on=SwallowedError)
def swallowed_trace_error(handler: SwallowedError) -> Iterator[Finding]:
    """`try`/`except` in traced code that catches the tracing error, or expects a run-time one."""
    if handler.error is None:
        never = "this handler never runs for it" if handler.catches_others else "this handler never runs"
        message = f"compiled code never raises `{handler.names}`, so {never}"
        yield handler.diagnostic(message, notes=handler.traced_by(), confidence=Confidence.LIKELY)
        return
    caught = FindingNote("needs a traced value, and raises during tracing", handler.error.place)
    message = "the handler catches the tracing error, so it runs in every call"
    yield handler.diagnostic(message, notes=(caught, *handler.traced_by()), confidence=Confidence.LIKELY)
