"""Tests in source that are decided by names and attributes of which the constants are known."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from jaxlint.analysis.domain.values import Static
from jaxlint.syntax import ir, walks


def decided(test: ir.Expr, known: Mapping[str, Static]) -> bool | None:
    """How a test comes out; `known` are constants by the dotted names that hold them. None where that is open."""
    match test:
        case ir.UnaryOperation(op="not", operand=operand):
            inner = decided(operand, known)
            return None if inner is None else not inner
        case ir.BooleanOperation(op=op, operands=operands):
            return _joined([decided(operand, known) for operand in operands], settles=op == "or")
        case ir.Comparison(left=left, rest=((op, right),)):
            return _compared(_constant(left, known), op, _constant(right, known))
        case _:
            value = _constant(test, known)
            return None if value is None else bool(value.value)


def _joined(parts: Iterable[bool | None], *, settles: bool) -> bool | None:
    """What `and` and `or` make of their parts: one that settles it does so whatever the others are."""
    found = set(parts)
    return settles if settles in found else None if None in found else not settles


def _compared(left: Static | None, op: str, right: Static | None) -> bool | None:
    """How two constants compare as to identity or equality."""
    if left is None or right is None:
        return None
    is_same = type(left.value) is type(right.value) and left.value == right.value
    match op:
        case "is" | "is not" if left.value is None or isinstance(left.value, bool):
            return is_same is (op == "is")
        case "==" | "!=":
            return (left.value == right.value) is (op == "==")
        case _:
            return None


def _constant(node: ir.Expr, known: Mapping[str, Static]) -> Static | None:
    return Static(node.value) if isinstance(node, ir.Constant) else known.get(walks.dotted(node))
