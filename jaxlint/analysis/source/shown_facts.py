"""Prints that show what is known while tracing: shapes, dtypes, the names in a tree."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from jaxlint.analysis.machine.tables import memoised
from jaxlint.syntax import ir, walks

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jaxlint.analysis.machine.interpreter import Interpreter

#: Attributes that tracers have as arrays do.
_FACTS: Final = frozenset({"aval", "dtype", "itemsize", "nbytes", "ndim", "shape", "sharding", "size"})
#: Functions and methods of a tree or an array that give such facts, by the last part of their names.
_ASKING: Final = frozenset({"eval_shape", "keys", "len", "ndim", "result_type", "shape", "structure", "tree_structure"})


def are_beside(it: Interpreter, body: ir.Block, at: int) -> bool:
    """Whether another `print` of a function shows such facts alone: its author looks at what is traced on purpose."""
    return any(other != at for other in _of_facts(it, body))


@memoised
def _of_facts(_: Interpreter, body: ir.Block) -> tuple[int, ...]:
    calls = (node for node in walks.nodes(body) if isinstance(node, ir.Call))
    return tuple(call.at for call in calls if walks.spelling(call.func) == "print" and _shows_facts(call))


def _shows_facts(call: ir.Call) -> bool:
    shown = [part for argument in call.args for part in _shown(argument)]
    return bool(shown) and all(map(_is_fact, shown))


def _shown(node: ir.Expr) -> Iterator[ir.Expr]:
    """The values that an argument shows, without the text around them."""
    match node:
        case ir.Constant():
            pass
        case ir.Starred(value=value):
            yield from _shown(value)
        case ir.FormattedString(parts=parts):
            for part in parts:
                yield from _shown(part.value if isinstance(part, ir.FormattedValue) else part)
        case ir.Call(func=ir.Attribute(base=ir.Constant(), attr="format"), args=args):
            for argument in args:
                yield from _shown(argument)
        case _:
            yield node


def _is_fact(node: ir.Expr) -> bool:
    match node:
        case ir.Attribute(attr=attr):
            return attr in _FACTS
        case ir.Subscript(base=base):
            return _is_fact(base)
        case ir.Call(func=ir.Name(id="list" | "tuple" | "sorted" | "str" | "type"), args=(given,)):
            return _is_fact(given) or walks.spelling(node.func) == "type"
        case ir.Call(func=func, args=args):
            asked = walks.spelling(func).lstrip(".")
            return asked in _ASKING or (asked.endswith("map") and any(walks.spelling(a) == ".shape" for a in args))
        case _:
            return False
