"""Tests of types that a variable keeps: `is_array = isinstance(x, jax.Array)`, and later `if is_array:`."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from jaxlint.analysis.machine.tables import memoised
from jaxlint.analysis.source.reaching_definitions import known_bindings
from jaxlint.syntax import ir

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter


class AskedOfEach(NamedTuple):
    """A test, the name that stands in it for each of several variables, and these."""

    test: ir.Expr
    target: str
    names: tuple[str, ...]


def asked_of_each(call: ir.Call) -> AskedOfEach | None:
    """What `all(test(x) for x in (a, b))` asks of each variable; None of any other call."""
    match call.args:
        case (
            ir.Comprehension(
                element=test,
                generators=(
                    ir.Generator(target=ir.Name(id=target), iter=ir.SequenceDisplay(elements=given), conditions=()),
                ),
            ),
        ) if asked_names(test) == frozenset({target}):
            names = tuple(each.id for each in given if isinstance(each, ir.Name))
            return AskedOfEach(test, target, names) if len(names) == len(given) else None
        case _:
            return None


@memoised
def kept_test(it: Interpreter, function: ir.Function, name: str) -> ir.Expr | None:
    """The test of types that a variable of a function holds, if what it asks about is a parameter as it was given."""
    bindings = known_bindings(it, function.body, name)
    test = bindings[0].value if len(bindings) == 1 and isinstance(bindings[0].statement, ir.Assign) else None
    if test is None or any(parameter.name == name for parameter in function.parameters):
        return None
    asked = asked_names(test)
    given = {parameter.name for parameter in function.parameters}
    is_kept = asked is not None and all(each in given and not known_bindings(it, function.body, each) for each in asked)
    return test if is_kept else None


def asked_names(test: ir.Expr) -> frozenset[str] | None:
    """The names that a test asks the types of; None of any other test."""
    match test:
        case ir.UnaryOperation(op="not", operand=operand):
            return asked_names(operand)
        case ir.BooleanOperation(operands=operands):
            parts = [asked_names(operand) for operand in operands]
            known = [part for part in parts if part is not None]
            return frozenset[str]().union(*known) if len(known) == len(parts) else None
        case ir.Call(args=(ir.Comprehension(),)):
            each = asked_of_each(test)
            return None if each is None else frozenset(each.names)
        case ir.Call(args=(ir.Name(id=subject), *_)):  # `isinstance`, or a predicate
            return frozenset({subject})
        case ir.Comparison(left=ir.Name(id=subject), rest=((("is" | "is not"), ir.Constant(value=None)),)):
            return frozenset({subject})
        case _:
            return None
