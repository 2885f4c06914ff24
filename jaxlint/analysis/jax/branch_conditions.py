"""Branches of `cond` and `switch`: whether one is run, and what is known then of its test or its index."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxlint.analysis.domain.state import Condition
from jaxlint.analysis.domain.values import UNKNOWN, Arguments, Static
from jaxlint.analysis.machine.asked_values import signature
from jaxlint.analysis.machine.path_conditions import outcomes_of
from jaxlint.analysis.python import iteration
from jaxlint.syntax import ir, walks

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter
    from jaxlint.jaxapi.rows import TracedFunction, TransformRow


def of_branch(
    it: Interpreter, row: TransformRow, spec: TracedFunction, number: int, node: ir.Expr, *, is_old: bool
) -> tuple[Condition, ...]:
    """What holds in the number-th function of a parameter of `cond` or `switch`, if the test is written in the call.

    `is_old`: the call is `cond(test, x, f, y, g)`, so that what stands where the second function does is the first.
    """
    if not it.api.has(row.name, "branches") or not isinstance(node, ir.Call) or not node.args:
        return ()
    test = node.args[0]
    if isinstance(test, ir.Starred):
        return ()
    if spec.is_list:
        names = frozenset(map(walks.spelling, walks.nodes(test))) - {""}
        return (Condition(signature(it, test), True, ("constant", repr(number)), False, names),)
    return outcomes_of(it, test).of(is_old or spec is row.functions[0])


def is_untaken(it: Interpreter, row: TransformRow, spec: TracedFunction, number: int, arguments: Arguments) -> bool:
    """Whether the number-th function of a parameter is traced but not run, because a constant chooses another one."""
    chosen = arguments.get(0, row.operands[0].name) if it.api.has(row.name, "branches") else None
    if not isinstance(chosen, Static):
        return False
    match chosen.value:
        case bool() as outcome if not spec.is_list:
            return outcome is not (spec is row.functions[0])
        case int() as index if spec.is_list:
            functions = iteration.exact_elements(it, arguments.get(spec.position, spec.keyword) or UNKNOWN)
            return functions is not None and number != min(max(index, 0), len(functions) - 1)
        case _:
            return False
