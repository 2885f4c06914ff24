"""Containers of Python that a traced value indexes: arrays of numbers, and `switch` for functions."""

from __future__ import annotations

from typing import Any, Final

from jaxlint.diagnostics import Applicability, Fix
from jaxlint.fixes.code import Change, Code
from jaxlint.fixes.imports import name_of
from jaxlint.fixes.names import is_stored_to
from jaxlint.syntax import ir

_STACKED: Final = "the elements must have one shape and dtype, and an index that is too large is clamped"
_SWITCHED: Final = "the functions must give the same shapes and dtypes, and an index that is too large is clamped"


def as_array(code: Code, at: int) -> Fix | None:
    """`xs[i]` as `jnp.array(xs)[i]`, `functions[i](x)` as `jax.lax.switch(i, functions, x)`."""
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
    if isinstance(parent, (ir.Attribute, ir.Subscript)) or _holds_no_numbers(code, subscript.base):
        return None
    named = name_of(code, at, "jax.numpy.array")
    if named is None:
        return None
    start, end = code.outer(subscript.base.at)
    changes = [Change(start, start, f"{named.text}("), Change(end, end, ")"), *named.changes]
    return code.fix(f"Wrap in `{named.text}`", changes, Applicability.UNSAFE, _STACKED)


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


def _holds_no_numbers(code: Code, base: Any) -> bool:  # noqa: ANN401 - an expression
    """Whether the display that the container is made by holds texts, functions or containers."""
    displays: list[Any] = [base]
    if isinstance(base, ir.Name):
        assigned = (node for node in code.owned(None) if isinstance(node, ir.Assign))
        displays.extend(
            node.value for node in assigned if any(isinstance(t, ir.Name) and t.id == base.id for t in node.targets)
        )
    for display in displays:
        if not isinstance(display, ir.SequenceDisplay):
            continue
        for element in display.elements:
            match element:
                case ir.Constant():
                    if not isinstance(element.value, (bool, int, float, complex)):
                        return True
                case ir.DictDisplay() | ir.Lambda() | ir.FormattedString():
                    return True
                case _:
                    pass
    return False
