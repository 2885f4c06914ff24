"""tracer-formatting: text made while tracing shows the tracer, not its value."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.events.tracing import Formatted
from jaxlint.analysis.findings import Finding
from jaxlint.diagnostics import Category
from jaxlint.rules.rule import rule


@rule("tracer-formatting", code="JX312", category=Category.SUSPICIOUS, on=Formatted)
def tracer_formatting(text: Formatted) -> Iterator[Finding]:
    """A traced value turned to text at trace time."""
    if text.how in ("print", "log", "debug", "raise"):
        return
    message = f"`{text.operand.text}` is turned to text while it is traced: the text shows the tracer, not a value"
    yield text.diagnostic(message, notes=text.operand.evidence, confidence=text.operand.confidence)
