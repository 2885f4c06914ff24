"""Sizes of buffers: XLA reuses a donated one for a result of as many elements, each of as many bytes.

As run on JAX 0.10.2: another shape or dtype of that size will do; where there is no such result, the donation is
dropped with a warning and the argument lives on.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import prod
from typing import NamedTuple

from jaxlint.analysis.domain.shapes import dtype_class
from jaxlint.analysis.domain.values import Array, Value


class Size(NamedTuple):
    """The number of elements, and the bytes of each; None where it is not known."""

    elements: int | None = None
    item: int | None = None

    @property
    def known(self) -> bool:
        """Whether both are."""
        return None not in self

    def may_fit(self, result: Size) -> bool:
        """Whether a buffer of this size may be that of a result; of unknown size, it is hardly that of one number."""
        if self.elements is None and result.elements == 1:
            return False
        return all(mine is None or its is None or mine == its for mine, its in zip(self, result))


class Taken(NamedTuple):
    """A donated leaf that may live on in a result: surely, or perhaps another one does in its stead."""

    leaf: Value
    sure: bool = False
    crowded: bool = False


def taken(donated: Iterable[Value], results: Iterable[Value]) -> list[Taken]:
    """Which donated leaves XLA takes: each needs a result of its own size to live in, and no two the same one."""
    results = list(results)
    free = [size_of(result) for result in results]
    found: list[Taken] = []
    others: list[Value] = []
    for leaf in donated:
        size = size_of(leaf)
        if size.known and size in free:
            free.remove(size)
            found.append(Taken(leaf, sure=True))
        else:
            others.append(leaf)
    are_trees = not all(isinstance(result, Array) for result in results)  # of which any leaf may be the one
    fitting = [leaf for leaf in others if are_trees or any(size_of(leaf).may_fit(result) for result in free)]
    crowded = not are_trees and len(fitting) > len(free)
    return [*found, *(Taken(leaf, crowded=crowded) for leaf in fitting)]


#: Bytes of dtypes that are known by their class only: JAX's own defaults.
_DEFAULTS = {"bool": 1, "int": 4, "uint": 4, "float": 4, "complex": 8}


def size_of(value: Value) -> Size:
    """The size of an array's buffer, as far as shape and dtype are known."""
    if not isinstance(value, Array):
        return Size()
    sizes = None if value.shape is None else [dim for dim in value.shape if isinstance(dim, int)]
    count = None if sizes is None or value.shape is None or len(sizes) < len(value.shape) else prod(sizes)
    return Size(count, None if value.dtype is None else _item_size(value.dtype))


def _item_size(dtype: str) -> int | None:
    kind = dtype_class(dtype) or ""
    bits = dtype[len(kind) :]
    return _DEFAULTS.get(kind) if not bits else int(bits) // 8 if bits.isdigit() else None
