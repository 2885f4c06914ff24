"""concretization: a traced value cannot become a Python number."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.findings import Finding, FixRequest
from jaxlint.analysis.events.tracing import Conversion
from jaxlint.diagnostics import Category, Fix
from jaxlint.fixes.code import Code
from jaxlint.fixes.known_values import kinds_by_name, known_values
from jaxlint.rules.rule import rule
from jaxlint.rules.tracing._fix_conversions import as_array


def _fix(request: FixRequest, code: Code) -> Fix | None:
    """An array where a Python number was asked for."""
    return as_array(code, request.at, kinds_by_name(request.words), is_certain=request.is_certain)


@rule("concretization", code="JX304", category=Category.CORRECTNESS, on=Conversion, fix=_fix)
def concretization(conversion: Conversion) -> Iterator[Finding]:
    """`float(x)`, `int(x)`, `x.item()`, `math.exp(x)` ... of a value that JAX is tracing."""
    operand = conversion.operand
    state = "traced" if operand.traced else "being differentiated, so it has no Python number"
    message = f"`{conversion.function}` needs the value of `{operand.text}`, which is {state}"
    fix = conversion.fix_request(words=known_values(conversion.frame))
    yield conversion.diagnostic(message, notes=operand.evidence, confidence=operand.confidence, fix=fix)
