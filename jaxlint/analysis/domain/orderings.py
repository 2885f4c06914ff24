"""What comparisons tell: between which bounds a number is, and which of two values is less."""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import Any, Final, NamedTuple, TypeAlias, TypeGuard, Union

from jaxlint.syntax import ir

#: The comparison that holds where another one does not, and the one that tells the same of exchanged operands.
_INVERSE: Final = {"<": ">=", ">=": "<", ">": "<=", "<=": ">"}
_MIRRORED: Final = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "==": "=="}

#: `float` alone would make compiled code turn 2 into 2.0, whose text is another one.
Number: TypeAlias = Union[int, float]


class Range(NamedTuple):
    """The numbers between two bounds; a bound that is `open` is not among them."""

    low: Number = -inf
    high: Number = inf
    low_open: bool = False
    high_open: bool = False

    def is_below(self, other: Range) -> bool:
        """Whether every number of this range is less than every number of the other."""
        return self.high < other.low or (self.high == other.low and (self.high_open or other.low_open))

    def has(self, number: Number) -> bool:
        """Whether a number is in the range."""
        point = Range(number, number)
        return not (self.is_below(point) or point.is_below(self))


#: Which of two values is less: the signature of the lesser one, or None where they are equal. One of these holds.
Order = frozenset[Any]


class Compared(NamedTuple):
    """What a comparison is about, and what holds where it comes out true, and false; None where that is no range."""

    subject: ir.Expr
    true: Range
    false: Range | None


def with_number(test: ir.Comparison, known: Callable[[ir.Expr], Any]) -> Compared | None:
    """What a comparison of something with a number tells; `known` is the value of an expression, if it is one."""
    ((op, right),) = test.rest
    for subject, other, told in ((test.left, right, op), (right, test.left, _MIRRORED.get(op))):
        number = known(other)
        if told is not None and is_number(number):
            return Compared(subject, _range(told, number), None if told == "==" else _range(_INVERSE[told], number))
    return None


def is_number(value: Any) -> TypeGuard[Number]:
    """Whether a value is a real number; True and False are none here."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def _range(op: str, number: Number) -> Range:
    match op:
        case "<" | "<=":
            return Range(high=number, high_open=op == "<")
        case ">" | ">=":
            return Range(low=number, low_open=op == ">")
        case _:
            return Range(number, number)


def order(op: str, left: Any, right: Any) -> tuple[Order, Order]:
    """What holds of two values, given by their signatures, where `left op right` is true, and where it is false."""
    every = frozenset((left, right, None))
    true = {"<": {left}, "<=": {left, None}, ">": {right}, ">=": {right, None}}.get(op, {None})
    return frozenset(true), every.difference(true)


def are_apart(one: Range | Order, other: Range | Order) -> bool:
    """Whether what two tests of the same values found cannot hold at once."""
    if isinstance(one, Range):
        return isinstance(other, Range) and (one.is_below(other) or other.is_below(one))
    return not isinstance(other, Range) and one.isdisjoint(other)
