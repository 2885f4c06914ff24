"""Which expressions need parentheses where they are put."""

from __future__ import annotations

from enum import IntEnum
from typing import Any, Final

from jaxlint.fixes.code import Code
from jaxlint.syntax import ir


class Level(IntEnum):
    """How tightly an expression holds together; one that stands inside another must hold at least as tightly."""

    TUPLE = 0
    YIELD = 1
    NAMED = 2
    LAMBDA = 3
    CONDITIONAL = 4
    OR = 5
    AND = 6
    NOT = 7
    COMPARISON = 8
    BIT_OR = 9
    BIT_XOR = 10
    BIT_AND = 11
    SHIFT = 12
    SUM = 13
    PRODUCT = 14
    SIGN = 15
    POWER = 16
    AWAIT = 17
    ATOM = 18


_BINARY: Final = {
    "|": Level.BIT_OR, "^": Level.BIT_XOR, "&": Level.BIT_AND, "<<": Level.SHIFT, ">>": Level.SHIFT, "+": Level.SUM,
    "-": Level.SUM, "*": Level.PRODUCT, "/": Level.PRODUCT, "//": Level.PRODUCT, "%": Level.PRODUCT,
    "@": Level.PRODUCT, "**": Level.POWER,
}  # fmt: skip


def level_of(node: Any) -> Level:  # noqa: ANN401 - any expression
    """The level of an expression without the parentheses around it."""
    match node:
        case ir.BinaryOperation():
            return _BINARY[node.op]
        case ir.BinaryChain():
            return min(_BINARY[op] for op, _ in node.rest)
        case ir.UnaryOperation():
            return Level.NOT if node.op == "not" else Level.SIGN
        case ir.BooleanOperation():
            return Level.AND if node.op == "and" else Level.OR
        case ir.SequenceDisplay(kind="tuple") | ir.Comprehension(kind="generator") | ir.Slice():
            return Level.TUPLE
        case _:
            return _LEVELS.get(type(node), Level.ATOM)


_LEVELS: Final[dict[type, Level]] = {
    ir.Yield: Level.YIELD, ir.Starred: Level.TUPLE, ir.NamedExpression: Level.NAMED, ir.Lambda: Level.LAMBDA,
    ir.Conditional: Level.CONDITIONAL, ir.Comparison: Level.COMPARISON, ir.Await: Level.AWAIT,
}  # fmt: skip


def binary_level(op: str) -> Level:
    """The level of `a op b`; its right operand must hold more tightly, that of `**` as tightly as a sign."""
    return _BINARY[op]


def operand(code: Code, at: int, level: Level, *, in_brackets: bool = False) -> str:
    """The text of an expression as part of another one, in parentheses where `level` asks for them.

    Outside brackets an expression of several lines needs them too; `in_brackets` says that it is put inside some.
    """
    node = code.node(at)
    text = code.segment(at)
    is_several_lines = "\n" in text or "\r" in text
    is_number = isinstance(node, ir.Constant) and isinstance(node.value, (int, float)) and level is Level.ATOM
    if level_of(node) < level or is_number or (is_several_lines and not in_brackets):
        return f"({text})"
    return text


def right_operand(code: Code, at: int, op: str, *, in_brackets: bool = False) -> str:
    """The text of an expression to the right of `op`."""
    level = Level.SIGN if op == "**" else Level(binary_level(op) + 1)
    return operand(code, at, level, in_brackets=in_brackets)
