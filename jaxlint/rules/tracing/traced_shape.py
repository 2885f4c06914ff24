"""traced-shape: shapes must be known while tracing."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.findings import Finding, FixRequest
from jaxlint.analysis.events.tracing import ShapeArgument
from jaxlint.diagnostics import Category, Fix
from jaxlint.fixes.code import Code
from jaxlint.rules.rule import rule
from jaxlint.rules.tracing._fix_static_parameters import make_static


def _fix(request: FixRequest, code: Code) -> Fix | None:
    """A static argument, where the shape comes from one parameter of the compiled function."""
    return make_static(code, request.at, is_certain=request.is_certain)


@rule("traced-shape", code="JX306", category=Category.CORRECTNESS, on=ShapeArgument, fix=_fix)
def traced_shape(argument: ShapeArgument) -> Iterator[Finding]:
    """A traced value as shape, size, axis, count or bound of a function that must know it."""
    function = argument.function.replace("jax.numpy.", "jnp.", 1)
    message = f"`{function}` needs `{argument.parameter}` while tracing, but `{argument.operand.text}` is traced"
    yield argument.diagnostic(
        message, notes=argument.operand.evidence, confidence=argument.operand.confidence, fix=argument.fix_request()
    )
