"""Containers of Python that a traced value indexes: arrays of numbers, and `switch` for functions."""

from __future__ import annotations

from typing import Any, Final

from jaxlint.diagnostics import Applicability, Fix
from jaxlint.fixes.code import Change, Code
from jaxlint.fixes.imports import name_of
from jaxlint.fixes.names import is_stored_to
from jaxlint.syntax import ir

_STACKED: Final = "the elements must share one shape and dtype, and an out-of-bounds index is clamped"
_SWITCHED: Final = "the functions must return the same shapes and dtypes, and an out-of-bounds index is clamped"


def as_array(code: Code, at: int, *, holds: str = "", is_certain: bool = False) -> Fix | None:
    """`xs[i]` as `jnp.array(xs)[i]`, `functions[i](x)` as `jax.lax.switch(i, functions, x)`.

    `holds` is what `xs` holds if no array can hold that.

    Where the code never works as it is, a table of numbers of one type that nothing changes can mean nothing else.
    """
    subscript = code.node(at)
    if not isinstance(subscript, ir.Subscript) or len(subscript.index) != 1 or is_stored_to(code, subscript):
        return None
    if isinstance(subscript.index[0], (ir.Slice, ir.Starred)) or not isinstance(
        subscript.base, (ir.Name, ir.Attribute, ir.SequenceDisplay)
    ):
        return None
    parent = code.parent(at)
    if isinstance(parent, ir.Call) and parent.func.at == at:
        return _switch(code, subscript, parent)
    if isinstance(parent, (ir.Attribute, ir.Subscript)) or holds:
        return None
    named = name_of(code, at, "jax.numpy.array")
    if named is None:
        return None
    start, end = code.outer(subscript.base.at)
    changes = [Change(start, start, f"{named.text}("), Change(end, end, ")"), *named.changes]
    title = f"Wrap in `{named.text}`"
    if is_certain and _is_table(code, subscript.base):
        return code.fix(title, changes)
    return code.fix(title, changes, Applicability.UNSAFE, _STACKED)


def _is_table(code: Code, base: Any) -> bool:  # noqa: ANN401 - an expression
    """Whether a container holds numbers of one type, in place or by a name that is bound once and only indexed."""
    if isinstance(base, ir.Name):
        found = [node for node in code.owned(None) if isinstance(node, ir.Name) and node.id == base.id]
        stores = [name for name in found if is_stored_to(code, name)]
        made = code.parent(stores[0].at) if len(stores) == 1 else None
        is_kept = all(_only_looks(code, name) for name in found if name not in stores)
        parameters = (node for node in code.owned(None) if isinstance(node, ir.Parameter))
        if not is_kept or not isinstance(made, ir.Assign) or any(p.name == base.id for p in parameters):
            return False
        base = made.value
    if not isinstance(base, ir.SequenceDisplay) or not base.elements:
        return False
    types = {_number_type(element) for element in base.elements}
    return len(types) == 1 and "" not in types


def _only_looks(code: Code, name: ir.Name) -> bool:
    """Whether a read of a container takes an element of it, or its length."""
    match code.parent(name.at):
        case ir.Subscript() as subscript:
            return subscript.base.at == name.at
        case ir.Call(func=ir.Name(id="len")) | ir.For():
            return True
        case _:
            return False


def _number_type(element: Any) -> str:  # noqa: ANN401 - an expression
    """The type of a number as written; empty for anything else."""
    match element:
        case ir.UnaryOperation(op="-" | "+"):
            return _number_type(element.operand)
        case ir.Constant() if type(element.value) in (int, float, complex):
            return type(element.value).__name__
        case _:
            return ""


def _switch(code: Code, subscript: ir.Subscript, call: ir.Call) -> Fix | None:
    named = name_of(code, call.at, "jax.lax.switch")
    if named is None or call.keywords or any(isinstance(argument, ir.Starred) for argument in call.args):
        return None
    start, end = code.outer(subscript.at)
    index, base = code.segment(subscript.index[0].at), code.segment(subscript.base.at)
    opening = code.token_from(end)[1]
    separator = ", " if call.args else ""
    changes = [Change(start, opening, f"{named.text}({index}, {base}{separator}"), *named.changes]
    return code.fix(f"Replace with `{named.text}`", changes, Applicability.UNSAFE, _SWITCHED)
