"""References to the memory of kernels: what takes one in the place of the array that it refers to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from jaxlint.analysis.domain.values import Ref, Value
from jaxlint.analysis.events.event import Operand
from jaxlint.analysis.events.kernels import RebindReference, UnreadReference
from jaxlint.analysis.machine.tables import memoised
from jaxlint.syntax import ir, walks

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter


def is_kernel_reference(value: Value) -> bool:
    """Whether a value is a reference that a kernel was given."""
    return isinstance(value, Ref) and value.kernel


def give_dtype(it: Interpreter, function: str, parameter: str, values: Sequence[Value]) -> bool:
    """Whether these are references whose dtype alone is needed: it is static, and their memory is not read."""
    is_dtype = parameter.endswith(_DTYPES) and it.api.has(function, "reads-dtypes")
    return is_dtype and all(isinstance(value, Ref) for value in values)


#: How the names of parameters end that take a dtype: `dtype`, `index_dtype`, `preferred_element_type`.
_DTYPES = ("dtype", "element_type")


def tell_unread(it: Interpreter, operand: Operand, at: int, taker: str) -> None:
    """Tell the rules that `taker` takes a reference as it is; "" is a store into another reference."""
    if is_kernel_reference(operand.value) and it.wants(UnreadReference):
        it.emit(UnreadReference(it.frame, at, operand, taker))


def tell_rebound(it: Interpreter, target: ir.Name, value: Value, source: ir.Expr) -> None:
    """Tell the rules that a parameter of a kernel is bound anew where nothing has read or written its memory."""
    frame = it.frame
    function, bound = frame.function, frame.state.env.get(target.id)
    if function is None or bound is None or not is_kernel_reference(bound) or not it.wants(RebindReference):
        return
    is_named = target.id.strip("_") != ""  # a kernel writes nothing to what it calls `_`
    is_parameter = is_named and any(parameter.name == target.id for parameter in function.parameters)
    if is_parameter and not is_kernel_reference(value) and _is_unused(it, function, target, source):
        it.emit(RebindReference(frame, target.at, Operand(value, frame, source.at), target.id, function.name))


@memoised
def _is_unused(_: Interpreter, function: ir.Function, target: ir.Name, source: ir.Expr) -> bool:
    """Whether no use of a name stands before the end of the assignment of `source` to it."""
    last = max(walks.ordinals(source))
    uses = (node for node in walks.nodes(function.body) if isinstance(node, ir.Name) and node.id == target.id)
    return all(use.at == target.at or use.at > last for use in uses)
