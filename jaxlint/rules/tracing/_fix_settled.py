"""Choices that have one meaning as arrays: what is chosen among is numbers and arrays of one shape, always finite."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from jaxlint.analysis.domain.values import atoms_of
from jaxlint.fixes.code import Code
from jaxlint.fixes.known_values import NUMBER, OTHER, UNKNOWN, kind_of, kinds_by_name, known_values
from jaxlint.syntax import ir

if TYPE_CHECKING:
    from jaxlint.analysis.events.event import Operand

_NUMBERS: Final = frozenset({"int", "float", "bool", "complex"})
_SCALAR: Final = (NUMBER, "()")
_MOST: Final = 4  # a power up to this is a product
#: Said before what is known where a test is of many values at once.
_MANY: Final = "=many"


def known_at_test(test: Operand) -> tuple[str, ...]:
    """What is known of the names where a test is made, and whether it is one of many values."""
    is_many = any(kind_of(atom) not in (*_SCALAR, UNKNOWN) for atom in atoms_of(test.value))
    return (*((_MANY,) if is_many else ()), *known_values(test.frame))


def is_settled(code: Code, groups: list[list[Any]], known: tuple[str, ...]) -> bool:
    """Whether the values of each group are numbers and arrays of one shape, and may all be computed.

    A value is an expression, a name or an augmented assignment. Nothing may come out of it that is infinite or NaN,
    which would reach the gradients of the value that is chosen.
    """
    shapes = {name: kind for name, kind in kinds_by_name(known).items() if kind != OTHER}
    return bool(groups) and _MANY not in known and all(_is_one(code, group, shapes) for group in groups)


def _is_one(code: Code, group: list[Any], shapes: dict[str, str]) -> bool:
    leaves: list[set[str]] = []
    for value in group:
        nodes = [value] if isinstance(value, str) else [value, *code.inside(value)]
        names = {node if isinstance(node, str) else node.id for node in nodes if isinstance(node, (str, ir.Name))}
        if not names <= shapes.keys() or not all(map(_is_finite, nodes)):
            return False
        leaves.append({name for name in names if shapes[name] not in _SCALAR})
    if all(names == leaves[0] for names in leaves):
        return True
    arrays = {shapes[name] for names in leaves for name in names}
    return len(arrays) == 1 and UNKNOWN not in arrays and all(leaves)


def _is_finite(node: Any) -> bool:  # noqa: ANN401 - part of an expression, or a name
    match node:
        case str() | ir.Name() | ir.UnaryOperation(op="-" | "+"):
            return True
        case ir.Constant():
            return type(node.value).__name__ in _NUMBERS
        case ir.BinaryOperation(op="+" | "-" | "*") | ir.AugmentedAssign(op="+" | "-" | "*"):
            return True
        case ir.BinaryOperation(op="**", right=ir.Constant(value=int() as power)):
            return 0 <= power <= _MOST
        case ir.BinaryOperation(op="/", right=ir.Constant(value=int() | float() as divisor)):
            return divisor != 0
        case _:
            return False
