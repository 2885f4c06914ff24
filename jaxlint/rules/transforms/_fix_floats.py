"""Whole numbers where a derivative is taken, as floats."""

from __future__ import annotations

from typing import Any

from jaxlint.analysis.domain.findings import FixRequest
from jaxlint.diagnostics import Applicability, Fix
from jaxlint.fixes.code import Change, Code
from jaxlint.fixes.precedence import Level, level_of
from jaxlint.syntax import ir


def as_float(request: FixRequest, code: Code) -> Fix | None:
    """`grad(f)(3)` as `grad(f)(3.0)`; an array as what `.astype(float)` makes of it."""
    node = code.node(request.at)
    number = _number(node)
    if number is not None:
        return _written(code, number, is_certain=request.is_certain)
    if "array" not in request.words or level_of(node) < Level.ATOM:
        return None
    end = code.outer(node.at)[1]
    reason = "`argnums` may be meant to name another argument"
    return code.fix(
        "Differentiate with respect to floats", [Change(end, end, ".astype(float)")], Applicability.UNSAFE, reason
    )


def _number(node: Any) -> ir.Constant | None:  # noqa: ANN401 - an expression
    """A whole number as written in digits, behind a sign or not."""
    while isinstance(node, ir.UnaryOperation) and node.op in ("-", "+"):
        node = node.operand
    return node if isinstance(node, ir.Constant) and type(node.value) is int else None


def _written(code: Code, number: ir.Constant, *, is_certain: bool) -> Fix | None:
    """A number in decimal digits with a point."""
    text, end = code.segment(number.at), code.span(number.at)[1]
    if not text.replace("_", "").isdigit():
        return None
    changes = [Change(end, end, ".0")]
    if is_certain:
        return code.fix("Write a float", changes)
    return code.fix("Write a float", changes, Applicability.UNSAFE, "other code may expect the error")
