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
from jaxlint.rules.tracing._fix_known_numbers import WHOLE, in_numpy


def _fix(request: FixRequest, code: Code) -> Fix | None:
    """An array where a Python number was asked for, or NumPy where JAX traced a number that Python knew."""
    made = as_array(code, request.at, kinds_by_name(request.words), is_certain=request.is_certain)
    if made is not None or not request.ordinals:
        return made
    (at,) = request.ordinals
    is_here = code.owner(at) is code.owner(request.at)
    return in_numpy(code, at, is_whole=is_here and request.is_certain and WHOLE in request.words)


@rule("concretization", code="JX304", category=Category.CORRECTNESS, on=Conversion, fix=_fix)
def concretization(conversion: Conversion) -> Iterator[Finding]:
    """`float(x)`, `int(x)`, `x.item()`, `math.exp(x)` ... of a value that JAX is tracing."""
    operand = conversion.operand
    state = "traced" if operand.traced else "being differentiated, so it has no Python number"
    message = f"`{conversion.function}` needs the value of `{operand.text}`, which is {state}"
    words, made = known_values(conversion.frame), conversion.made
    fix = conversion.fix_request(words=words)
    if made is not None and made.place.path == conversion.place.path:
        fix = conversion.fix_request(made.at, words=(*words, WHOLE) if made.is_whole else words)
    yield conversion.diagnostic(message, notes=operand.evidence, confidence=operand.confidence, fix=fix)
