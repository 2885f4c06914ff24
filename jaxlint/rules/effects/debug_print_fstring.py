"""debug-print-fstring: `jax.debug.print` formats by itself."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.findings import Finding
from jaxlint.analysis.events.effects import LibraryCall
from jaxlint.diagnostics import Category
from jaxlint.rules.effects._fix_debug_print import template_call
from jaxlint.rules.rule import rule
from jaxlint.syntax import ir


@rule("debug-print-fstring", code="JX411", category=Category.CORRECTNESS, on=LibraryCall, fix=template_call)
def debug_print_fstring(call: LibraryCall) -> Iterator[Finding]:
    """`jax.debug.print(f"{x}")`: the tracer is formatted, not the value."""
    if call.name != "jax.debug.print" or call.trace is None or not call.call.args:
        return
    template = call.call.args[0]
    if not isinstance(template, ir.FormattedString | ir.BinaryOperation | ir.Call):
        return
    parts = tuple(part for part in call.texts if part.traced)
    if parts:
        shown = min(parts, key=lambda part: part.confidence_as_text.rank)
        message = f"`{shown.text}` is formatted before `jax.debug.print` sees it; pass it as an argument"
        fix = call.fix_request()
        yield call.diagnostic(message, notes=shown.evidence, confidence=shown.confidence_as_text, fix=fix)
