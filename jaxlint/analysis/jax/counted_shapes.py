"""Functions and methods whose result has the shape that an argument counts, as `repeat` with its counts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxlint.analysis.domain.values import Arguments, is_traced
from jaxlint.analysis.events.event import Operand
from jaxlint.analysis.events.tracing import DataDependentShape
from jaxlint.analysis.typestate import static_numbers
from jaxlint.jaxapi.rows import FunctionRow
from jaxlint.syntax import ir

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter


def tell(it: Interpreter, name: str, row: FunctionRow, arguments: Arguments, node: ir.Expr) -> bool:
    """Tell the rules if the argument that counts is traced, and nothing else fixes the shape.

    The receiver of a method, whose name begins with a dot, is the first argument of the function.
    """
    position = row.params.positional.index(row.counter) - name.startswith(".")
    value = arguments.get(position, row.counter)
    if value is None or not is_traced(value) or arguments.get(None, row.size or "") is not None:
        return False
    static_numbers.needed(it, value)
    if it.wants(DataDependentShape):
        at = arguments.at(position, row.counter)
        operand = Operand(value, it.frame, at if at >= 0 else node.at)
        it.emit(DataDependentShape(it.frame, node.at, operand, name, row.size or "", is_counter=True))
    return True
