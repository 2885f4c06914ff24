"""Functions of JAX that count with sizes: in compiled code they make a traced number of what Python knows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxlint.analysis.domain.values import Arguments, Level, Value
from jaxlint.analysis.events.event import Operand
from jaxlint.analysis.events.performance import StaticOperation
from jaxlint.analysis.typestate import static_numbers
from jaxlint.syntax import ir, walks

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter


def tell(it: Interpreter, name: str, arguments: Arguments, result: Value, node: ir.Expr) -> None:
    """Tell the rules where all that a function which counts is given are numbers that are known while tracing.

    Sizes are whole numbers, and so is what rounding gives. What counts with others, or only makes an array of numbers,
    is told of only where one is needed.
    """
    if not it.wants(StaticOperation) or arguments.extra:
        return
    is_count, is_made = it.api.has(name, "counts"), it.api.has(name, "keeps-keys") or it.api.has(name, "enumerates")
    if not (is_count or is_made) or not isinstance(node, ir.Call):
        return
    if it.frame.ambient is not Level.TRACED:
        if not it.frame.is_open:
            it.works(node.at, StaticOperation)
        return
    given = arguments.all()
    if not given or not all(static_numbers.is_number(it, value) for value in given):
        return
    operation = next(filter(None, (static_numbers.origin_of(it, value) for value in given)), None)
    is_told = operation is not None and operation.is_count
    if operation is None or not is_told:
        is_whole = all(map(static_numbers.is_whole, given))
        is_count = is_count and (is_whole or _rounds(it, name)) and _is_computed(it, node)
        by_position = bool(arguments.positional)
        operand = Operand.argument(arguments, 0, it.frame, node.at) if by_position else it.operand(given[0], node)
        operation = StaticOperation(it.frame, node.at, operand, name, is_whole, is_count)
        if is_count:
            it.emit(operation)
    static_numbers.made(it, result, operation)


def _rounds(it: Interpreter, name: str) -> bool:
    """Whether a function gives whole numbers for any: a count, as in `ceil(tokens / experts * capacity)`."""
    return it.api.has(name, "undifferentiated")


def _is_computed(it: Interpreter, node: ir.Call) -> bool:
    """Whether the numbers are made of others, and not only written: in `max(array([1, 2]))`, `array` is no number."""
    made = {operation.at for operation in it.tables[static_numbers.StaticNumbers].made.values()}
    calls = (part for part in walks.nodes(node.args) if isinstance(part, ir.Call) and part.at in made)
    functions = {at for call in calls for at in walks.ordinals(call.func)}
    parts = (part for part in walks.nodes(node.args) if isinstance(part, ir.Name | ir.Attribute))
    return any(part.at not in functions for part in parts)
