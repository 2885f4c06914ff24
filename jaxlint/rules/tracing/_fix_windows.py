"""Slices with traced bounds as what JAX computes: windows of a fixed size, masks for sums over a part."""

from __future__ import annotations

from typing import Any, Final

from jaxlint.diagnostics import Applicability, Fix
from jaxlint.fixes.code import Change, Code
from jaxlint.fixes.comment_edits import keeps_comments
from jaxlint.fixes.imports import name_of
from jaxlint.fixes.precedence import Level, operand
from jaxlint.fixes.rebinding import is_simple_target
from jaxlint.rules.tracing._fix_conditions import Untraceable, Writer
from jaxlint.rules.tracing._fix_masks import Mask, without_selection
from jaxlint.syntax import ir

_SHIFTED: Final = "a window that would leave the array is shifted into it; a slice would be cut short"
_DROPPED: Final = "elements past the end are left out"
_FRONT: Final = "this assumes that the bounds are not negative{}"


def window(code: Code, subscript: ir.Subscript) -> Fix | None:
    """The fix of one subscript, `x[...]` or `x.at[...]`."""
    places = [place for place, index in enumerate(subscript.index) if _bounded(index)]
    if not places:
        return None
    others = [index for place, index in enumerate(subscript.index) if place not in places]
    is_update = isinstance(subscript.base, ir.Attribute) and subscript.base.attr == "at"
    part: Any = subscript.index[places[0]]
    size = _size(code, part)
    if len(places) == 1 and size is None:
        is_last = places[0] == len(others) and not any(map(_adds_axes, others))
        return _part(code, subscript, part, is_update) if is_last and not (is_update and others) else None
    if not all(map(_is_full, others)):
        return None
    if not is_update:
        return _windows(code, subscript, places)
    return _places(code, part, size) if len(places) == 1 and size is not None else None


def _bounded(index: Any) -> bool:  # noqa: ANN401 - an expression
    return isinstance(index, ir.Slice) and (index.lower is not None or index.upper is not None)


def _is_full(index: Any) -> bool:  # noqa: ANN401 - an expression
    match index:
        case ir.Slice(lower=None, upper=None, step=None):
            return True
        case _:
            return False


def _is_rest(index: Any) -> bool:  # noqa: ANN401 - an expression
    """Whether an index is `...`."""
    return isinstance(index, ir.Constant) and index.value is Ellipsis


def _adds_axes(index: Any) -> bool:  # noqa: ANN401 - an expression
    """Whether an index may be `None` or several: then its place says nothing about the axis of the next one."""
    return isinstance(index, ir.Starred) or (isinstance(index, ir.Constant) and index.value is None)


def _size(code: Code, part: ir.Slice) -> str | None:
    """The `k` of `i : i + k`, where its form says that it is known while tracing."""
    if part.lower is None or part.step is not None:
        return None
    match part.upper:
        case ir.BinaryOperation(op="+", left=left, right=right):
            pass
        case _:
            return None
    lower = code.segment(part.lower.at)
    for start, size in ((left, right), (right, left)):
        if code.segment(start.at) == lower and _is_known(code, size):
            return operand(code, size.at, Level.NAMED, in_brackets=True)
    return None


def _is_known(code: Code, node: Any) -> bool:  # noqa: ANN401 - an expression
    match node:
        case ir.Constant(value=int()):
            return True
        case ir.Name():
            owner = code.owner(node.at)
            return (
                not isinstance(owner, ir.Function)
                or all(p.name != node.id for p in owner.parameters)
                or node.id.isupper()
            )
        case ir.Subscript(base=ir.Attribute(attr="shape")) | ir.Attribute(attr="size" | "ndim"):
            return True
        case ir.Call(func=ir.Name(id="len")):
            return True
        case _:
            return False


def _windows(code: Code, subscript: ir.Subscript, places: list[int]) -> Fix | None:
    """`x[i : i + k]` as `jax.lax.dynamic_slice_in_dim(x, i, k)`; `x[i : i + k, j : j + l]` as one inside the other."""
    named = name_of(code, subscript.at, "jax.lax.dynamic_slice_in_dim")
    if named is None:
        return None
    text = operand(code, subscript.base.at, Level.NAMED, in_brackets=True)
    for place in places:
        part: Any = subscript.index[place]
        size = _size(code, part)
        if size is None:
            return None
        start = operand(code, part.lower.at, Level.NAMED, in_brackets=True)
        text = f"{named.text}({text}, {start}, {size}{f', axis={place}' if place else ''})"
    if not keeps_comments(code, *code.span(subscript.at), text):
        return None
    changes = [Change(*code.span(subscript.at), text), *named.changes]
    return code.fix(f"Replace with `{named.text}`", changes, Applicability.UNSAFE, _SHIFTED)


def _places(code: Code, part: ir.Slice, size: str) -> Fix | None:
    """`x.at[i : i + k]` as `x.at[i + jnp.arange(k)]`."""
    named = name_of(code, part.at, "jax.numpy.arange")
    if named is None or part.lower is None:
        return None
    start = operand(code, part.lower.at, Level.SUM, in_brackets=True)
    changes = [Change(*code.span(part.at), f"{start} + {named.text}({size})"), *named.changes]
    return code.fix(f"Index with `{named.text}`", changes, Applicability.UNSAFE, _DROPPED)


def _part(code: Code, subscript: ir.Subscript, part: ir.Slice, is_update: bool) -> Fix | None:
    """`x[:n].sum()` as `x.sum(where=jnp.arange(x.shape[0]) < n)`, `x.at[:n].set(v)` with `jnp.where`.

    The slice is the last index, so that the mask lies along the last axis of what is selected.
    """
    base: Any = subscript.base
    array = base.base if is_update else base
    if part.step is not None or not is_simple_target(array):
        return None
    axes = len(subscript.index)
    is_rest = any(map(_is_rest, subscript.index))
    writer = Writer(code)
    try:
        text = _within(writer, part, f"{code.segment(array.at)}.shape[{-1 if is_rest else axes - 1}]")
    except Untraceable:
        return None
    mask = Mask(part.at, text, written=code.segment(part.at), is_inner=axes > 1)
    changes = without_selection(code, subscript, mask)
    if changes is None:
        return None
    rank = f" and that `{code.segment(array.at)}` has {'one axis' if axes == 1 else f'{axes} axes'}"
    reason = _FRONT.format("" if is_rest else rank)
    return code.fix("Use a mask", [*changes, *writer.imports], Applicability.UNSAFE, reason)


def _within(writer: Writer, part: ir.Slice, size: str) -> str:
    """The mask of the places from `lower` to `upper` along an axis of this size."""
    code, places = writer.code, f"{writer.name(part.at, 'jax.numpy.arange')}({size})"
    lower = (
        None if part.lower is None else f"{places} >= {operand(code, part.lower.at, Level.BIT_OR, in_brackets=True)}"
    )
    upper = None if part.upper is None else f"{places} < {operand(code, part.upper.at, Level.BIT_OR, in_brackets=True)}"
    if lower is not None and upper is not None:
        return f"{writer.name(part.at, 'jax.numpy.logical_and')}({lower}, {upper})"
    return lower or upper or ""
