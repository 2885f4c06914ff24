"""Shapes and dtypes of array operations, as far as they follow from the operands'."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

from jaxlint.analysis.domain.values import Array, Dim, Key, Shape, Static, Tuple, Value

#: What a list of devices is called as the type of a value: there is one dimension of them.
DEVICES = "devices"
#: What the dtype of an array of JAX is called as the type of a value: there are no objects in such an array.
JAX_DTYPE = "dtype of JAX"
#: dtype classes from narrow to wide; a wider one wins in arithmetic.
_RANK = {"bool": 0, "uint": 1, "int": 2, "bfloat": 3, "float": 3, "complex": 4}
#: Ranks as a Python scalar sees them: it gives way to every dtype of its own rank.
_WEAK_RANK = {**_RANK, "uint": 2}
#: Pairs of classes whose common dtype may be neither of the two: bfloat16 and float16 give float32.
_MIXED = {frozenset({"bfloat", "float"}): "float", frozenset({"uint", "int"}): "int"}
#: The classes of dtypes that numbers have.
CLASSES = frozenset(_RANK)
_PYTHON = {"bool": "bool", "int": "int", "float": "float", "complex": "complex"}


def dtype_class(dtype: str | None) -> str | None:
    """`float` of `float32`; None where the dtype is unknown."""
    return None if dtype is None else dtype.rstrip("0123456789")


def is_discrete(dtype: str | None) -> bool:
    """Whether a dtype is one of truth values or whole numbers, which have no derivative."""
    return dtype_class(dtype) in ("bool", "int", "uint")


def is_weak(value: Value) -> bool:
    """Whether a value gives way to other dtypes in arithmetic: Python scalars and arrays made of them."""
    return isinstance(value, Static) or (isinstance(value, Array) and value.weak)


def is_strong(value: Value) -> bool:
    """Whether an array surely keeps its dtype where a value that gives way meets it; truth values always do."""
    return isinstance(value, Array) and (value.strong or value.dtype == "bool")


def is_strong_result(operands: Iterable[Value], result: str | None) -> bool:
    """Whether what is made of the operands has its dtype from one that keeps it."""
    kind = dtype_class(result)
    return kind is not None and any(is_strong(v) and dtype_class(dtype_of(v)) == kind for v in operands)


def magnitude(dtype: str | None) -> str | None:
    """The dtype of the absolute value, or of a part, of a number of this dtype."""
    return "float" if dtype_class(dtype) == "complex" else dtype


def dtype_of(value: Value) -> str | None:
    """The dtype of an array, or the class that a Python scalar would have."""
    if isinstance(value, Array):
        return value.dtype
    if isinstance(value, Static):
        return _PYTHON.get(value.type or "")
    return None


def promote(values: Iterable[Value]) -> str | None:
    """The dtype of arithmetic between values; None where one is unknown."""
    strong: str | None = None
    widest: str | None = None
    for value in values:
        dtype = dtype_of(value)
        if dtype is None or dtype_class(dtype) not in _RANK:
            return None
        widest = _wider(widest, dtype)
        if not is_weak(value):
            strong = _wider(strong, dtype)
    if strong is None or widest is None:
        return widest
    own, other = dtype_class(strong) or "", dtype_class(widest) or ""
    return strong if _WEAK_RANK[own] >= _WEAK_RANK[other] else other


def _wider(a: str | None, b: str) -> str:
    if a is None or a == b:
        return b
    first, second = dtype_class(a) or "", dtype_class(b) or ""
    if first == second or {a, b} == {"float64", "complex64"}:
        return max(first, second, key=_RANK.__getitem__)
    mixed = _MIXED.get(frozenset((first, second)))
    if mixed is not None:
        return mixed
    return a if _RANK[first] > _RANK[second] else b


def shape_of(value: Value) -> Shape:
    """The shape of an array or scalar; None where it is unknown."""
    if isinstance(value, Array | Key):
        return value.shape
    if isinstance(value, Static):
        return (getattr(value.value, "count", None),) if value.type == DEVICES else ()
    return None


def least_rank(value: Value) -> int:
    """How many axes a value has at least; what is unknown may have none."""
    shape = shape_of(value)
    return len(shape) if shape is not None else value.axes if isinstance(value, Array) else 0


def broadcast(shapes: Sequence[Shape]) -> Shape:
    """The common shape, None where one is unknown or they cannot be told to fit."""
    if any(shape is None for shape in shapes):
        return None
    known = [shape for shape in shapes if shape is not None]
    rank = max(map(len, known), default=0)
    padded = [(1,) * (rank - len(shape)) + tuple(shape) for shape in known]
    return tuple(_broadcast_dims([shape[i] for shape in padded]) for i in range(rank))


def _broadcast_dims(dims: Sequence[Dim]) -> Dim:
    wide = [dim for dim in dims if dim != 1]
    if not wide:
        return 1
    lengths = {dim for dim in wide if isinstance(dim, int)}
    if lengths:  # which the others have as well, or they are of length 1
        return lengths.pop() if len(lengths) == 1 else None
    return wide[0] if all(dim == wide[0] for dim in wide) else None


def reduced(shape: Shape, axis: Any, keepdims: bool) -> Shape:
    """The shape after reducing over `axis` (an int, a tuple of ints, or None for all)."""
    if axis is None:
        if keepdims:
            return None if shape is None else (1,) * len(shape)
        return ()
    axes = axis if isinstance(axis, tuple) else (axis,)
    if shape is None or not all(isinstance(a, int) and -len(shape) <= a < len(shape) for a in axes):
        return None
    gone = {a % len(shape) for a in axes}
    if keepdims:
        return tuple(1 if i in gone else dim for i, dim in enumerate(shape))
    return tuple(dim for i, dim in enumerate(shape) if i not in gone)


def without_axis(shape: Shape, axis: int | None) -> Shape:
    """The shape of one row along an axis; None where that is not known."""
    if not shape or axis is None or not -len(shape) <= axis < len(shape):
        return None
    return (*shape[: axis % len(shape)], *shape[axis % len(shape) + 1 :])


def concatenated(parts: Sequence[Shape], axis: int) -> Shape:
    """The shape of arrays put one behind the other; None where one is unknown or they do not fit."""
    known = [part for part in parts if part]
    rank = len(known[0]) if known else 0
    if len(known) < len(parts) or any(len(part) != rank for part in known) or not -rank <= axis < rank:
        return None
    lengths = [part[axis] for part in known]
    total = sum(n for n in lengths if isinstance(n, int)) if all(isinstance(n, int) for n in lengths) else None
    others = broadcast([tuple(1 if i == axis % rank else dim for i, dim in enumerate(part)) for part in known])
    return None if others is None else tuple(total if i == axis % rank else dim for i, dim in enumerate(others))


def stacked(parts: Sequence[Shape], axis: int) -> Shape:
    """The shape of arrays put along a new axis."""
    each = broadcast(parts)
    if each is None or not parts or not -len(each) - 1 <= axis <= len(each):
        return None
    place = axis % (len(each) + 1)
    return (*each[:place], len(parts), *each[place:])


def matmul(a: Shape, b: Shape) -> Shape:
    """The shape of `a @ b` for vectors and matrices; None for batches of unknown rank."""
    if not a or not b:
        return None
    if len(a) == 1 and len(b) == 1:
        return ()
    if len(a) == 1:
        return (*b[:-2], b[-1])
    if len(b) == 1:
        return tuple(a[:-1])
    batch = broadcast([tuple(a[:-2]), tuple(b[:-2])])
    return None if batch is None else (*batch, a[-2], b[-1])


def dot(a: Shape, b: Shape) -> Shape:
    """The shape of `jnp.dot(a, b)`: no axes of stacks are paired, and a number scales."""
    if a is None or b is None:
        return None
    if not a or not b:
        return a or b
    return (*a[:-1], *b[:-2], *(b[-1:] if len(b) > 1 else ()))


def given_shape(value: Value) -> Shape:
    """A shape given as an int or a tuple, as Python data: unknown entries are None. None where it is no shape."""
    if isinstance(value, Static) and value.type == "int":
        return (value.value if isinstance(value.value, int) else None,)
    if isinstance(value, Tuple):
        return tuple(e.value if isinstance(e, Static) and isinstance(e.value, int) else None for e in value.elements)
    return None


def count(asked: str, shape: Shape) -> Dim:
    """The number of dimensions (`ndim`) or elements (`size`), None where it is not known."""
    if asked == "ndim":
        return None if shape is None else len(shape)
    return size(shape)


def size(shape: Shape) -> Dim:
    """The number of elements; where one length is 0, there are none."""
    if shape is not None and 0 in shape:
        return 0
    if shape is None or not all(isinstance(dim, int) for dim in shape):
        return None
    return math.prod(dim for dim in shape if isinstance(dim, int))


def reshaped(shape: Shape, wanted: tuple[Dim, ...]) -> Shape:
    """The shape that `reshape` gives: one length may be -1, and is what is left."""
    unknown = [i for i, dim in enumerate(wanted) if not isinstance(dim, int) or dim < 0]
    if len(unknown) != 1 or wanted[unknown[0]] != -1:
        return tuple(dim if not isinstance(dim, int) or dim >= 0 else None for dim in wanted)
    whole, rest = size(shape), size(tuple(dim for dim in wanted if dim != -1))
    left = whole // rest if isinstance(whole, int) and isinstance(rest, int) and rest else None
    return tuple(left if dim == -1 else dim for dim in wanted)


def expanded(shape: Shape, places: tuple[Dim, ...]) -> Shape:
    """The shape with axes of length 1 put in, whose places in the result are given."""
    if shape is None:
        return None
    rank = len(shape) + len(places)
    if not all(isinstance(place, int) and -rank <= place < rank for place in places):
        return (None,) * rank
    new = {place % rank for place in places if isinstance(place, int)}
    rest = iter(shape)
    return tuple(1 if i in new else next(rest, None) for i in range(rank))
