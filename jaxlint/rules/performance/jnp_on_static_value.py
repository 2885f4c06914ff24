"""jnp-on-static-value: sizes are counted with by functions of JAX, which trace what they give."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.findings import Finding, FindingNote, FixRequest
from jaxlint.analysis.events.performance import StaticOperation
from jaxlint.diagnostics import Category, Confidence, Fix
from jaxlint.fixes.code import Code
from jaxlint.rules.rule import rule
from jaxlint.rules.tracing._fix_known_numbers import WHOLE, in_numpy


def _fix(request: FixRequest, code: Code) -> Fix | None:
    """The same function of NumPy."""
    return in_numpy(code, request.at, is_whole=request.is_certain and WHOLE in request.words)


@rule("jnp-on-static-value", code="JX804", category=Category.SUSPICIOUS, on=StaticOperation, fix=_fix)
def jnp_on_static_value(operation: StaticOperation) -> Iterator[Finding]:
    """A JAX function computes with sizes in compiled code."""
    message = f"`{operation.text}` is static, but `{operation.function}` turns it into a traced number"
    note = FindingNote("a traced number cannot be a shape or a bound; `np` and `math` keep it a Python number", None)
    fix = operation.fix_request(words=(WHOLE,) if operation.is_whole else ())
    confidence = Confidence.CERTAIN if operation.is_needed else Confidence.POSSIBLE
    yield operation.diagnostic(message, notes=(note, *operation.traced_by()), confidence=confidence, fix=fix)
