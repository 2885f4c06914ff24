"""print-in-traced-code: `print` in traced code runs while tracing only."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.events.effects import LibraryCall
from jaxlint.analysis.events.event import Operand
from jaxlint.analysis.findings import Finding
from jaxlint.diagnostics import Category
from jaxlint.rules.rule import rule


@rule("print-in-traced-code", code="JX401", category=Category.SUSPICIOUS, on=LibraryCall)
def print_in_traced_code(call: LibraryCall) -> Iterator[Finding]:
    """`print` of a traced value."""
    if call.trace is None or call.effect != "print":
        return
    printed = call.traced_parts()
    if not printed:
        return
    shown: Operand = printed[0]
    message = f"`print` shows the tracer of `{shown.text}`, once per compilation; `jax.debug.print` shows its value"
    yield call.diagnostic(message, notes=shown.evidence, confidence=shown.confidence)
