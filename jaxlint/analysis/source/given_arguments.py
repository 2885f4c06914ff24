"""What calls in view, as they are written, give the parameters of a function of a module."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from jaxlint.analysis.machine.tables import memoised
from jaxlint.syntax import ir, walks

if TYPE_CHECKING:
    from jaxlint.analysis.domain.values import FunctionValue
    from jaxlint.analysis.machine.interpreter import Interpreter


def gives_number(it: Interpreter, function: FunctionValue, parameter: ir.Parameter) -> bool:
    """Whether some call gives a parameter a number that is written there."""
    if function.cls is not None or function.closure.kind != "module":
        return False
    calls = _calls(it, function.module.source.module.body).get(function.function.name, ())
    number = function.function.parameters.index(parameter)
    return any(_is_number(_given(call, number, parameter.name)) for call in calls)


def _given(call: ir.Call, number: int, name: str) -> ir.Expr | None:
    before = call.args[: number + 1]
    if len(before) > number and not any(isinstance(argument, ir.Starred) for argument in before):
        return before[number]
    return next((value for keyword, value in call.keywords if keyword == name), None)


def _is_number(node: ir.Expr | None) -> bool:
    return isinstance(node, ir.Constant) and type(node.value) in (int, float)


@memoised
def _calls(_: Interpreter, body: ir.Block) -> Mapping[str, Sequence[ir.Call]]:
    """The calls in a module, by the name that they call."""
    found: dict[str, list[ir.Call]] = {}
    for node in walks.nodes(body):
        if isinstance(node, ir.Call) and isinstance(node.func, ir.Name):
            found.setdefault(node.func.id, []).append(node)
    return found
