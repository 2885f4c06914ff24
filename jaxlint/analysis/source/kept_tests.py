"""Tests of types that a variable keeps: `is_array = isinstance(x, jax.Array)`, and later `if is_array:`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxlint.analysis.machine.tables import memoised
from jaxlint.analysis.source.reaching_definitions import known_bindings
from jaxlint.syntax import ir

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter


@memoised
def kept_test(it: Interpreter, function: ir.Function, name: str) -> ir.Expr | None:
    """The test of types that a variable of a function holds, if what it asks about is a parameter as it was given."""
    bindings = known_bindings(it, function.body, name)
    test = bindings[0].value if len(bindings) == 1 and isinstance(bindings[0].statement, ir.Assign) else None
    if test is None or any(parameter.name == name for parameter in function.parameters):
        return None
    asked = _asked(test)
    given = {parameter.name for parameter in function.parameters}
    is_kept = asked is not None and all(each in given and not known_bindings(it, function.body, each) for each in asked)
    return test if is_kept else None


def _asked(test: ir.Expr) -> frozenset[str] | None:
    """The names that a test asks the types of; None of any other test."""
    match test:
        case ir.UnaryOperation(op="not", operand=operand):
            return _asked(operand)
        case ir.BooleanOperation(operands=operands):
            parts = [_asked(operand) for operand in operands]
            known = [part for part in parts if part is not None]
            return frozenset[str]().union(*known) if len(known) == len(parts) else None
        case ir.Call(args=(ir.Name(id=subject), *_)):  # `isinstance`, or a predicate
            return frozenset({subject})
        case ir.Comparison(left=ir.Name(id=subject), rest=((("is" | "is not"), ir.Constant(value=None)),)):
            return frozenset({subject})
        case _:
            return None
