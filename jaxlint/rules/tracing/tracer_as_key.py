"""tracer-as-key: a traced value cannot be hashed."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.findings import Finding
from jaxlint.analysis.events.effects import CachedFunction
from jaxlint.analysis.events.tracing import Hashed
from jaxlint.diagnostics import Category
from jaxlint.rules.rule import rule


@rule("tracer-as-key", code="JX311", category=Category.CORRECTNESS, on=(Hashed, CachedFunction))
def tracer_as_key(event: Hashed | CachedFunction) -> Iterator[Finding]:
    """A traced value as dict key, set member, or argument of a cached function."""
    if isinstance(event, Hashed):
        where = {"in": "to look it up", "hash()": "by `hash()`"}.get(event.use, f"as a {event.use}")
        message = f"`{event.operand.text}` is hashed {where}, but it is traced and has no hash"
        yield event.diagnostic(message, notes=event.operand.evidence, confidence=event.operand.confidence_as_text)
        return
    for operand in event.operands:
        if operand.traced:
            message = f"`{event.function}` is cached by its arguments, but `{operand.text}` is traced and has no hash"
            yield event.diagnostic(message, notes=operand.evidence, confidence=operand.confidence)
            return
