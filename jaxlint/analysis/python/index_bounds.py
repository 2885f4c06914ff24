"""Constant indices outside of arrays whose shape is known: JAX clamps what is read, and drops what is written.

Under-approximates: behind an index whose number of dimensions is not known, nothing is said.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from jaxlint.analysis.domain.shapes import dtype_class
from jaxlint.analysis.domain.values import Array, Key, Level, Shape, Static, Value, is_none
from jaxlint.analysis.events.arrays import OutOfBounds
from jaxlint.analysis.events.event import Operand
from jaxlint.syntax import ir

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter


class _Fault(NamedTuple):
    """A constant that no element of a dimension has as its index."""

    number: int
    dimension: int
    size: int


def read(it: Interpreter, base: Array | Key, node: ir.Subscript, index: Sequence[Operand]) -> None:
    """Tell the rules of `base[index]` where that is out of bounds."""
    if base.level > Level.HOST and it.wants(OutOfBounds):
        _tell(it, base, node, [operand.value for operand in index], node.at, "")


def update(it: Interpreter, base: Value, values: Sequence[Value], method: str, call: ir.Expr) -> None:
    """Tell the rules of `base.at[index].method(...)`, which has no mode, where that is out of bounds."""
    if not it.wants(OutOfBounds) or not (isinstance(call, ir.Call) and isinstance(call.func, ir.Attribute)):
        return
    node = call.func.base
    if isinstance(base, Array) and base.level > Level.HOST and isinstance(node, ir.Subscript):
        written = node.base.base if isinstance(node.base, ir.Attribute) else node.base
        at = node.at if method == "get" else call.at
        _tell(it, base, ir.Subscript(written, node.index, node.at), values, at, "" if method == "get" else method)


def _tell(
    it: Interpreter, base: Array | Key, node: ir.Subscript, values: Sequence[Value], at: int, method: str
) -> None:
    caveats, trace = it.frame.caveats, it.frame.trace
    if trace is not None and not trace.is_run:  # `eval_shape` reads no element
        return
    if base.shape is None or len(values) != len(node.index) or caveats.rank_asked or caveats.one_of_several:
        return
    fault = next(_faults(base.shape, node.index, values), None)
    if fault is not None:
        it.emit(OutOfBounds(it.frame, at, it.operand(base, node.base), *fault, method))


def _faults(shape: Shape, parts: Sequence[ir.Expr], values: Sequence[Value]) -> Iterator[_Fault]:
    """The constants that are out of bounds, counted from both ends if `...` stands between."""
    sizes = shape or ()
    yield from _from_left(sizes, list(zip(parts, values)), range(len(sizes)))
    if any(_is_rest(value) for value in values):
        yield from _from_left(sizes, list(zip(parts, values))[::-1], range(len(sizes) - 1, -1, -1))


def _from_left(
    sizes: Sequence[int | str | None], index: Sequence[tuple[ir.Expr, Value]], dimensions: range
) -> Iterator[_Fault]:
    """The same, up to `...` or to what takes a number of dimensions that is not known."""
    left = iter(dimensions)
    for part, value in index:
        if isinstance(value, Static) and is_none(value):
            continue
        dimension = None if _is_rest(value) or not _takes_one(part, value) else next(left, None)
        if dimension is None:
            return
        size = sizes[dimension]
        number = value.value if isinstance(value, Static) else None
        if type(number) is int and isinstance(size, int) and not -size <= number < size:
            yield _Fault(number, dimension, size)


def _is_rest(value: Value) -> bool:
    return isinstance(value, Static) and value.value is ...


def _takes_one(part: ir.Expr, value: Value) -> bool:
    """Whether an index is for exactly one dimension: truth values are for as many as they have themselves."""
    if isinstance(part, ir.Slice):
        return True
    if isinstance(value, Static):
        return value.type in ("int", "slice")
    return isinstance(value, Array) and dtype_class(value.dtype) in ("int", "uint")
