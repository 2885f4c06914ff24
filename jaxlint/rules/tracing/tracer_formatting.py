"""tracer-formatting: text made while tracing shows the tracer, not its value."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.findings import Finding, FixRequest
from jaxlint.analysis.events.tracing import Formatted
from jaxlint.diagnostics import Category, Fix
from jaxlint.fixes.code import Code
from jaxlint.rules.rule import rule
from jaxlint.rules.tracing._fix_printed_later import printed_later
from jaxlint.rules.tracing._fix_static_parameters import static_where_constant


def _fix(request: FixRequest, code: Code) -> Fix | None:
    """`jax.debug.print` for a text that is only printed, a static argument for one that names something."""
    printed = printed_later(code, request.at)
    return printed if printed is not None else static_where_constant(code, request.ordinals[0])


@rule("tracer-formatting", code="JX312", category=Category.SUSPICIOUS, on=Formatted, fix=_fix)
def tracer_formatting(text: Formatted) -> Iterator[Finding]:
    """A traced value is formatted during tracing."""
    if text.how in ("print", "log", "debug", "raise"):
        return
    if text.operand.traced and text.spec:
        message = f"`{text.operand.text}` is traced, so formatting it as a number raises"
    elif text.operand.traced:
        message = f"`{text.operand.text}` is formatted during tracing, so the text shows the tracer, not its value"
    else:
        message = f"`{text.operand.text}` is formatted as a number, but it is being differentiated"
    yield text.diagnostic(
        message,
        notes=text.operand.evidence,
        confidence=text.operand.confidence_as_text,
        fix=text.fix_request(text.operand.at),
    )
