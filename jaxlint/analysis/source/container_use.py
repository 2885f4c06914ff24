"""Names that code uses as containers: a tree of unknown structure under such a name is no single array."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from jaxlint.analysis.machine.tables import memoised
from jaxlint.syntax import ir, walks

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter

#: Methods of dicts, lists and named tuples that no array has.
METHODS: Final = frozenset(
    {"keys", "values", "items", "get", "pop", "update", "setdefault", "append", "extend", "_asdict", "_replace"}
)


@memoised
def containers(it: Interpreter, function: ir.Function) -> frozenset[str]:
    """The names that a function takes a method of containers or an item under a string from, or spreads by `**`."""
    return frozenset(name for node in walks.nodes(function.body) for name in _used(node))


def _used(node: Any) -> Iterator[str]:
    match node:
        case ir.Attribute(base=ir.Name(id=name), attr=attr) if attr in METHODS:
            yield name
        case ir.Subscript(base=ir.Name(id=name)) if _is_text(node):
            yield name
        case ir.Call(keywords=keywords):
            yield from (value.id for key, value in keywords if key is None and isinstance(value, ir.Name))
        case ir.DictDisplay(items=items):
            yield from (value.id for key, value in items if key is None and isinstance(value, ir.Name))
        case _:
            pass


def _is_text(node: ir.Subscript) -> bool:
    return any(isinstance(part, ir.Constant) and isinstance(part.value, str) for part in walks.nodes(node.index))
