"""traced-shape: shapes must be known while tracing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from jaxlint.analysis.domain.findings import Finding, FixRequest
from jaxlint.analysis.events.tracing import Dimension, ShapeArgument
from jaxlint.diagnostics import Category, Fix
from jaxlint.fixes.code import Change, Code
from jaxlint.fixes.handlers import is_tried
from jaxlint.rules.rule import rule
from jaxlint.rules.tracing._fix_static_parameters import make_static
from jaxlint.syntax import ir

#: What methods gather in `*args`, as the functions of the same names call it.
_GATHERED: Final = {".reshape": "shape", ".transpose": "axes"}


def _fix(request: FixRequest, code: Code) -> Fix | None:
    """A static argument, where the shape comes from one parameter of the compiled function; `*` in front of a tuple."""
    return _spread(code, request.at) if request.words else make_static(code, request.at, is_certain=request.is_certain)


def _spread(code: Code, at: int) -> Fix | None:
    start = code.outer(at)[0]
    if is_tried(code, at) or not isinstance(code.parent(at), (ir.Call, ir.SequenceDisplay)):
        return None
    return code.fix("Unpack the tuple", [Change(start, start, "*")])


@rule("traced-shape", code="JX306", category=Category.CORRECTNESS, on=(ShapeArgument, Dimension), fix=_fix)
def traced_shape(argument: ShapeArgument | Dimension) -> Iterator[Finding]:
    """A traced value as a static shape, size, axis or count, or a dimension that is not an integer."""
    function = argument.function.replace("jax.numpy.", "jnp.", 1)
    if isinstance(argument, Dimension):
        yield _dimension(argument, function)
        return
    parameter = _GATHERED.get(function, argument.parameter)
    message = f"`{function}` needs a static `{parameter}`, but `{argument.operand.text}` is traced"
    yield argument.diagnostic(
        message, notes=argument.operand.evidence, confidence=argument.operand.confidence, fix=argument.fix_request()
    )


def _dimension(dimension: Dimension, function: str) -> Finding:
    text = dimension.operand.text
    if dimension.fault == "float":
        return dimension.diagnostic(f"`{text}` is a float, but `{function}` needs integer dimensions")
    message = f"`{text}` is a sequence, but `{function}` needs integer dimensions; unpack it with `*`"
    return dimension.diagnostic(message, fix=dimension.fix_request(words=("spread",)))
