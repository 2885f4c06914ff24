"""Changes that are no effect of traced code: those that a context manager takes back, and counters of names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jaxlint.analysis import walks
from jaxlint.analysis.roles import root_name
from jaxlint.analysis.values import FunctionValue
from jaxlint.syntax import ir

if TYPE_CHECKING:
    from jaxlint.analysis.frames import Frame

_OTHER_HALF = {"__enter__": "__exit__", "__exit__": "__enter__", "__aenter__": "__aexit__", "__aexit__": "__aenter__"}


def is_undone(frame: Frame, name: str) -> bool:
    """Whether the code around changes a name, or an attribute `.name`, for the time of a `with` block only."""
    function = frame.function
    if function is None:
        return False
    if function.name in _OTHER_HALF and frame.cls is not None:
        other = frame.cls.namespace.get(_OTHER_HALF[function.name])
        return isinstance(other, FunctionValue) and _changes(other.function.body, name)
    tries = (node for node in walks.nodes(function.body) if isinstance(node, ir.Try))
    return function.is_generator and any(_changes(node.final, name) for node in tries)


def is_given_out(frame: Frame, name: str) -> bool:
    """Whether a function returns what is made of a counter: a number for a name or an identity, as often as asked."""
    function = frame.function
    returns = () if function is None else (n for n in walks.nodes(function.body) if isinstance(n, ir.Return))
    return any(_is_called(part, name) for node in returns for part in walks.nodes(node.value))


def _changes(body: ir.Block, name: str) -> bool:
    return any(_is_changed(part, name) for node in walks.nodes(body) for part in _changed(node))


def _changed(node: Any) -> tuple[ir.Expr, ...]:
    """What a statement may change: what it assigns or deletes, and the receiver of a call."""
    match node:
        case ir.Assign() | ir.Delete():
            return node.targets
        case ir.AugmentedAssign():
            return (node.target,)
        case ir.Call(func=ir.Attribute(base=base)):
            return (base,)
        case _:
            return ()


def _is_changed(node: ir.Expr, name: str) -> bool:
    parts = node.elements if isinstance(node, ir.SequenceDisplay) else (node,)
    return any(_is_called(part, name) or root_name(part) == name for part in parts)


def _is_called(node: Any, name: str) -> bool:
    """Whether an expression is a name, or an attribute `.name`."""
    match node:
        case ir.Name():
            return node.id == name
        case ir.Attribute():
            return f".{node.attr}" == name
        case _:
            return False
