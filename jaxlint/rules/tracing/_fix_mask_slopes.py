"""Whether derivatives stay numbers where a computation runs for elements that a mask keeps out of its result.

Reverse mode multiplies the 0 that comes back for such an element by the derivative there: infinity makes that NaN.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from jaxlint.fixes.code import Code
from jaxlint.fixes.imports import qualified_name
from jaxlint.fixes.names import is_stored_to
from jaxlint.syntax import ir

#: Functions of `jax.numpy` that work on each element alone, whose derivative is a number wherever their argument is.
TAME: Final = frozenset(
    {
        "abs", "absolute", "square", "sin", "cos", "tanh", "arctan", "maximum", "minimum", "add", "subtract",
        "multiply", "sign", "clip", "isnan", "isinf", "isfinite", "logical_and", "logical_or", "logical_not", "floor",
        "ceil", "round", "negative", "conj", "real", "imag", "where", "nan_to_num",
    }
)  # fmt: skip
_TAME_OPERATORS: Final = frozenset({"+", "-", "*", "&", "|", "^"})
_ASKS_FOR_NUMBERS: Final = frozenset({"jax.numpy.isnan", "jax.numpy.isfinite", "jax.numpy.isinf"})


def stays_finite(code: Code, computed: Iterable[Any], mask: int) -> bool:
    """Whether what expressions compute has a derivative for all elements, those that the mask leaves out as well."""
    operations = [node for each in computed for node in (each, *code.inside(each)) if not _is_index(code, node)]
    if _asks_for_numbers(code, mask):
        return not any(isinstance(node, (ir.Call, ir.BinaryOperation, ir.BinaryChain)) for node in operations)
    return all(_is_tame(code, node) for node in operations)


def _is_index(code: Code, node: Any) -> bool:  # noqa: ANN401 - a node
    """Whether a node is part of an index, or of a function's name."""
    while (parent := code.parent(node.at)) is not None:
        if isinstance(parent, ir.Subscript) and parent.base.at != node.at:
            return True
        if isinstance(parent, ir.Call) and parent.func.at == node.at:
            return True
        node = parent
    return False


def _asks_for_numbers(code: Code, mask: int) -> bool:
    """Whether a mask leaves out what is no number: of that, no derivative is one."""
    node = code.node(mask)
    made = [node]
    if isinstance(node, ir.Name):
        stores = [n for n in code.owned(code.owner(mask)) if isinstance(n, ir.Name) and n.id == node.id]
        made += [code.statement(n.at) for n in stores if is_stored_to(code, n)]
    calls = [n for each in made for n in (each, *code.inside(each)) if isinstance(n, ir.Call)]
    return any(qualified_name(code, call.func) in _ASKS_FOR_NUMBERS for call in calls)


def _is_tame(code: Code, node: Any) -> bool:  # noqa: ANN401 - a node
    match node:
        case ir.BinaryOperation(op="**", right=ir.Constant(value=int() as power)):
            return power > 0
        case ir.BinaryOperation(op="/", right=ir.Constant(value=int() | float() as divisor)):
            return divisor != 0
        case ir.BinaryOperation(op=op):
            return op in _TAME_OPERATORS
        case ir.BinaryChain():
            return all(op in _TAME_OPERATORS for op, _ in node.rest)
        case ir.Call(func=ir.Attribute(attr="astype")):
            return True
        case ir.Call(func=func):
            module, _, member = (qualified_name(code, func) or "").rpartition(".")
            return module == "jax.numpy" and member in TAME
        case _:
            return True
