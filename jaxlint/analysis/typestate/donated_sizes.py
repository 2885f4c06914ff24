"""Sizes of buffers: XLA reuses a donated one for a result of as many elements, each of as many bytes.

As run on JAX 0.10.2: another shape or dtype of that size will do; where there is no such result, the donation is
dropped with a warning and the argument lives on.
"""

from __future__ import annotations

from math import prod
from typing import TypeAlias

from jaxlint.analysis.domain.shapes import dtype_class
from jaxlint.analysis.domain.values import Array, Value

#: The number of elements, and the bytes of each.
Size: TypeAlias = tuple[int, int]

#: Bytes of dtypes that are known by their class only: JAX's own defaults.
_DEFAULTS = {"bool": 1, "int": 4, "uint": 4, "float": 4, "complex": 8}


def size_of(value: Value) -> Size | None:
    """The size of an array's buffer, None where shape or dtype are not known."""
    if not isinstance(value, Array) or value.shape is None or value.dtype is None:
        return None
    item = _item_size(value.dtype)
    sizes = [dim for dim in value.shape if isinstance(dim, int)]
    return None if item is None or len(sizes) < len(value.shape) else (prod(sizes), item)


def _item_size(dtype: str) -> int | None:
    kind = dtype_class(dtype) or ""
    bits = dtype[len(kind) :]
    return _DEFAULTS.get(kind) if not bits else int(bits) // 8 if bits.isdigit() else None
