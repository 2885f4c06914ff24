"""Tests as values: when two tests on a path are the same, and which outcomes exclude each other."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from jaxlint.analysis import walks
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
            constant = ("constant", repr(literal.value))
            yield Condition(signature(interpreter, test.left), outcome, constant, traced, _names(interpreter, test))
        case _:
            traced = interpreter.is_traced_test(test.at)
            yield Condition(signature(interpreter, test), outcome, None, traced, _names(interpreter, test))
            if _asks_for_last(test, outcome):
                yield Condition(("last", test.at), True, "last", traced)


def _asks_for_last(test: ir.Expr, outcome: bool) -> bool:
    """Whether the outcome holds for the last number below a bound only: `i == n - 1`, not `i < n - 1`."""
    match test:
        case ir.Comparison(left=ir.Name(), rest=((op, ir.BinaryOperation(op="-", right=ir.Constant())),)):
            return (op, outcome) in (("==", True), (">=", True), ("!=", False), ("<", False))
        case _:
            return False


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


def contradicts(side: tuple[Condition, ...], path: tuple[Condition, ...]) -> bool:
    """Whether a side of a test cannot be taken on a path: a test of the same names, not assigned since, says so.

    Tests that look into objects or call functions may come out otherwise the second time.
    """
    return any(_is_lasting(a.test) and exclusive((a,), path) for a in side)


def _is_lasting(test: Any) -> bool:
    match test:
        case ("name", None, frozenset()) | ("constant", _):
            return True
        case ("compare", *parts):
            return all(_is_lasting(part[1] if number else part) for number, part in enumerate(parts))
        case _:
            return False


def mention(frame: Frame, name: str) -> bool:
    """Whether a test on the path to here looks at a name, or at an attribute: `.name`."""
    return any(name in condition.names for condition in frame.all_conditions())


def _names(interpreter: Interpreter, test: ir.Expr) -> frozenset[str]:
    """The names that stand in a test, collected once."""
    key = ("names of a test", interpreter.frame.path, test.at)
    found: frozenset[str] | None = interpreter.caches.get(key)
    if found is None:
        found = interpreter.caches[key] = frozenset(
            node.id if isinstance(node, ir.Name) else f".{node.attr}"
            for node in walks.nodes(test)
            if isinstance(node, ir.Name | ir.Attribute)
        )
    return found


def signature(interpreter: Interpreter, node: ir.Expr) -> Any:
    """A hashable form of an expression, equal where the same operation is done on the same values.

    Values are told apart by identity: a name that was assigned again has another value object.
    """
    match node:
        case ir.Name():
            value = interpreter.peek(node.id)
            # What a test narrowed and a join put together again is the same value still.
            atoms = () if value is None else atoms_of(value)
            idents = [ident_of(atom) for atom in atoms]
            if idents and None not in idents:
                return ("name", None, frozenset(idents))  # whatever it is called
            return ("name", node.id, frozenset(a if i is None else i for a, i in zip(atoms, idents)))
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
