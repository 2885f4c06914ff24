"""Tests as values: when two tests on a path are the same, and which outcomes exclude each other."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from jaxlint.analysis.state import Condition
from jaxlint.analysis.values import atoms_of, ident_of
from jaxlint.syntax import ir

if TYPE_CHECKING:
    from jaxlint.analysis.frames import Frame
    from jaxlint.analysis.interpreter import Interpreter


def conditions_of(interpreter: Interpreter, test: ir.Expr, outcome: bool) -> Iterator[Condition]:
    """What is known to hold where `test` came out as `outcome`."""
    match test:
        case ir.UnaryOperation(op="not"):
            yield from conditions_of(interpreter, test.operand, not outcome)
        case ir.BooleanOperation(op="and") if outcome:
            for operand in test.operands:
                yield from conditions_of(interpreter, operand, True)
        case ir.BooleanOperation(op="or") if not outcome:
            for operand in test.operands:
                yield from conditions_of(interpreter, operand, False)
        case ir.Comparison(rest=((("!=" | "is not") as op, right),)):
            positive = ir.Comparison(test.left, (("==" if op == "!=" else "is", right),), test.at)
            yield from conditions_of(interpreter, positive, not outcome)
        case ir.Comparison(rest=((("==" | "is"), ir.Constant() as literal),)):
            traced = interpreter.is_traced_test(test.at)
            yield Condition(signature(interpreter, test.left), outcome, ("constant", repr(literal.value)), traced)
        case _:
            yield Condition(signature(interpreter, test), outcome, None, interpreter.is_traced_test(test.at))


def exclusive(first: tuple[Condition, ...], second: tuple[Condition, ...]) -> bool:
    """Whether no run can take both paths.

    Under-approximates: tests that contradict each other for reasons of arithmetic are not seen.
    """
    if not first or not second:
        return False
    for a in first:
        for b in second:
            if a.test != b.test:
                continue
            if a.constant == b.constant:
                if a.outcome is not b.outcome:
                    return True
            elif a.constant is not None and b.constant is not None and a.outcome and b.outcome:
                return True
    return False


def mention(frame: Frame, name: str) -> bool:
    """Whether a test on the path to here looks at a name."""
    return any(_holds_name(condition.test, name) for condition in frame.all_conditions())


def _holds_name(test: Any, name: str) -> bool:
    if not isinstance(test, tuple):
        return False
    return test[:2] == ("name", name) or any(_holds_name(part, name) for part in test)


def signature(interpreter: Interpreter, node: ir.Expr) -> Any:
    """A hashable form of an expression, equal where the same operation is done on the same values.

    Values are told apart by identity: a name that was assigned again has another value object.
    """
    match node:
        case ir.Name():
            value = interpreter.peek(node.id)
            # What a test narrowed and a join put together again is the same value still.
            atoms = () if value is None else atoms_of(value)
            return ("name", node.id, frozenset(a if (i := ident_of(a)) is None else i for a in atoms))
        case ir.Attribute():
            return ("attribute", signature(interpreter, node.base), node.attr)
        case ir.Constant():
            return ("constant", repr(node.value))
        case ir.Comparison():
            return (
                "compare",
                signature(interpreter, node.left),
                *((op, signature(interpreter, x)) for op, x in node.rest),
            )
        case ir.Subscript():
            return ("item", signature(interpreter, node.base), *(signature(interpreter, i) for i in node.index))
        case ir.BinaryOperation():
            return (node.op, signature(interpreter, node.left), signature(interpreter, node.right))
        case ir.UnaryOperation():
            return (node.op, signature(interpreter, node.operand))
        case ir.Call():
            keywords = ((name, signature(interpreter, value)) for name, value in node.keywords)
            arguments = (signature(interpreter, argument) for argument in node.args)
            return ("call", signature(interpreter, node.func), *arguments, *keywords)
        case _:
            return ("node", interpreter.frame.serial, node.at)
