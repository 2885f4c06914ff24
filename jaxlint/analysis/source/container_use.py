"""Names and attributes that code uses as containers: a tree of unknown structure under one is no single array."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from jaxlint.analysis.machine.tables import memoised
from jaxlint.syntax import ir, walks

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter


@memoised
def containers(it: Interpreter, function: ir.Function) -> frozenset[str]:
    """What a function takes an item under a string from, or an attribute that no array has, or spreads by `**`."""
    return frozenset(walks.dotted(used) for node in walks.nodes(function.body) for used in _used(it, node)) - {""}


def _used(it: Interpreter, node: Any) -> Iterator[Any]:
    match node:
        case ir.Attribute(base=base, attr=attr) if it.api.array_member(attr) is None and not attr.startswith("__"):
            yield base
        case ir.Subscript(base=base) if _is_text(node):
            yield base
        case ir.Call(keywords=keywords):
            yield from (value for key, value in keywords if key is None)
        case ir.DictDisplay(items=items):
            yield from (value for key, value in items if key is None)
        case _:
            pass


def _is_text(node: ir.Subscript) -> bool:
    return any(isinstance(part, ir.Constant) and isinstance(part.value, str) for part in walks.nodes(node.index))


def is_asked_for(it: Interpreter, function: ir.Function, holder: ir.Expr, key: ir.Expr) -> bool:
    """Whether a function takes the item under this key from what is written like this: of no array one does both."""
    return (_text(it, holder.at), _text(it, key.at)) in _items(it, function)


@memoised
def _items(it: Interpreter, function: ir.Function) -> frozenset[tuple[str, str]]:
    """What a function takes items from and under which key, as written."""
    subscripts = (node for node in walks.nodes(function.body) if isinstance(node, ir.Subscript))
    return frozenset((_text(it, node.base.at), _text(it, part.at)) for node in subscripts for part in node.index)


def _text(it: Interpreter, at: int) -> str:
    return " ".join(it.frame.module.source.segment(at).split())
