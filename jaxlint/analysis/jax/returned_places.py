"""Where a function of the project writes what it returns."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from jaxlint.analysis.domain.findings import Place
from jaxlint.analysis.domain.values import BoundMethod, FunctionValue, Partial
from jaxlint.analysis.machine.tables import memoised
from jaxlint.syntax import ir
from jaxlint.syntax.blocks import blocks

if TYPE_CHECKING:
    from jaxlint.analysis.domain.values import Value
    from jaxlint.analysis.machine.interpreter import Interpreter


def returned_place(it: Interpreter, target: Value) -> Place | None:
    """The one expression that a function returns; None where there are several, or where we do not see it."""
    while isinstance(target, BoundMethod | Partial):
        target = target.function
    if not isinstance(target, FunctionValue):
        return None
    at = _returned(it, target.function)
    return None if at is None else Place(target.module.path, at)


@memoised
def _returned(_: Interpreter, function: ir.Function) -> int | None:
    found = list(returns_of(function.body))
    return found[0].value.at if len(found) == 1 and found[0].value is not None else None


def returns_of(body: ir.Block) -> Iterator[ir.Return]:
    """The return statements of a function, without those of functions in it."""
    for statement in body:
        if isinstance(statement, ir.Return):
            yield statement
        elif not isinstance(statement, ir.FunctionDefinition | ir.ClassDefinition):
            for block in blocks(statement):
                yield from returns_of(block)
