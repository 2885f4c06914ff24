"""Changes that are no effect of traced code: what a context manager takes back, counters of names, numbered lists."""

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
    """Whether the code around changes a name, or an attribute `.name`, for the time of a `with` block only.

    A method that `__enter__` and `__exit__` both call does so, too.
    """
    for caller in frame.callers():
        function = caller.function
        if function is None or caller.trace is not frame.trace:
            return False
        if _is_half(caller, name) or _is_restored(function, name) or _is_put_back(function, name):
            return True
        name = function.name if caller.cls is None else f".{function.name}"
    return False


def _is_half(frame: Frame, name: str) -> bool:
    """Whether a frame is that of one half of a context manager, and the other half changes the same."""
    function = frame.function
    if function is None or function.name not in _OTHER_HALF or frame.cls is None:
        return False
    other = frame.cls.namespace.get(_OTHER_HALF[function.name])
    return isinstance(other, FunctionValue) and _changes(other.function.body, name)


def _is_restored(function: ir.Function, name: str) -> bool:
    """Whether a generator changes the same in the end, whatever happens."""
    tries = (node for node in walks.nodes(function.body) if isinstance(node, ir.Try))
    return function.is_generator and any(_changes(node.final, name) for node in tries)


def _is_put_back(function: ir.Function, name: str) -> bool:
    """Whether a function keeps what was there before, and assigns that in the end: `old = x.y; x.y = z; x.y = old`."""
    assigned = [node for node in walks.nodes(function.body) if isinstance(node, ir.Assign)]
    kept = {t.id for node in assigned if _is_called(node.value, name) for t in node.targets if isinstance(t, ir.Name)}
    return any(
        isinstance(node.value, ir.Name) and node.value.id in kept and any(_is_called(t, name) for t in node.targets)
        for node in assigned
    )


def is_changed_in(frame: Frame, name: str) -> bool:
    """Whether the function at hand changes what it reads under a name from outside."""
    return frame.function is not None and _changes(frame.function.body, name)


def is_given_out(frame: Frame, name: str) -> bool:
    """Whether a function returns what is made of a counter: a number for a name or an identity, as often as asked."""
    function = frame.function
    returns = () if function is None else (n for n in walks.nodes(function.body) if isinstance(n, ir.Return))
    return any(_is_called(part, name) for node in returns for part in walks.nodes(node.value))


def is_numbered(frame: Frame, name: str) -> bool:
    """Whether a function keeps the number of entries of a list: it knows the one that it adds by its place."""
    function = frame.function
    assigned = () if function is None else (n for n in walks.nodes(function.body) if isinstance(n, ir.Assign))
    return any(_takes_length(node.value, name) for node in assigned)


def _takes_length(value: ir.Expr, name: str) -> bool:
    """`len(name)`, as it is or converted."""
    match value:
        case ir.Call(func=ir.Name(id="len"), args=(container,)):
            return root_name(container) == name
        case ir.Call(args=(inner,), keywords=()):
            return _takes_length(inner, name)
        case _:
            return False


def _changes(body: ir.Block, name: str) -> bool:
    return any(_is_changed(part, name) for node in walks.nodes(body) for part in _changed(node))


def _changed(node: Any) -> tuple[ir.Expr, ...]:
    """What a statement may change: what it assigns or deletes, what it calls, and the receiver of that."""
    match node:
        case ir.Assign() | ir.Delete():
            return node.targets
        case ir.AugmentedAssign():
            return (node.target,)
        case ir.Call(func=ir.Attribute(base=base)):
            return (node.func, base)
        case ir.Call():
            return (node.func,)
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
