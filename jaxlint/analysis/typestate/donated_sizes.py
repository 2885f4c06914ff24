"""Sizes of buffers: XLA reuses a donated one for a result of as many elements, each of as many bytes.

As run on JAX 0.10.2: another shape or dtype of that size will do; where there is no such result, the donation is
dropped with a warning and the argument lives on.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import prod
from types import UnionType
from typing import NamedTuple

from jaxlint.analysis.domain.shapes import dtype_class
from jaxlint.analysis.domain.values import Array, Leaves, Union, Unknown, Value


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
    """A donated leaf that may live on in a result: surely, or perhaps not, as another one does or none is known."""

    leaf: Value
    sure: bool = False
    doubtful: bool = False


def taken(donated: Iterable[Value], results: Iterable[Value], *, per_device: bool = False) -> list[Taken]:
    """Which donated leaves XLA takes: each needs a result of its own size to live in, and no two the same one.

    `per_device`: the first axis of all arrays is that of the devices, each of which has a buffer.
    """
    results = list(results)
    free = [size_of(result, per_device=per_device) for result in results if isinstance(result, Array)]
    found: list[Taken] = []
    others: list[Value] = []
    for leaf in donated:
        size = size_of(leaf, per_device=per_device)
        if size.known and size in free:
            free.remove(size)
            found.append(Taken(leaf, sure=True))
        else:
            others.append(leaf)
    trees = [result for result in results if not isinstance(result, Array)]
    sizes = [size_of(leaf, per_device=per_device) for leaf in others]
    fits = [any(size.may_fit(result) for result in free) for size in sizes]
    if trees and not _are_from_trees(trees, others, Leaves):  # of which any leaf may be the one
        in_doubt = _are_from_trees(trees, others, Leaves | Unknown) and sum(fits) > len(free)
        are_unknown = all(isinstance(tree, Unknown) for tree in trees)
        for leaf, may_fit in zip(others, fits):
            in_doubt_here = in_doubt and isinstance(leaf, Array | Union)
            found.append(Taken(leaf, doubtful=in_doubt_here or (are_unknown and not may_fit)))
        return found
    fitting = [leaf for leaf, may_fit in zip(others, fits) if may_fit or (trees and isinstance(leaf, Leaves))]
    is_crowded = len(fitting) > len(free) + len(trees)
    return [*found, *(Taken(leaf, doubtful=is_crowded) for leaf in fitting)]


def _are_from_trees(trees: Sequence[Value], donated: Iterable[Value], kind: type | UnionType) -> bool:
    """Whether as many trees of a kind are donated as are returned: each lives on in one of them, and no array does."""
    given = sum(isinstance(leaf, kind) for leaf in donated)
    return len(trees) <= given and all(isinstance(tree, kind) for tree in trees)


#: Bytes of dtypes that are known by their class only: JAX's own defaults.
_DEFAULTS = {"bool": 1, "int": 4, "uint": 4, "float": 4, "complex": 8}


def size_of(value: Value, *, per_device: bool = False) -> Size:
    """The size of an array's buffer, as far as shape and dtype are known."""
    if not isinstance(value, Array):
        return Size()
    shape = value.shape[1:] if per_device and value.shape else value.shape
    sizes = None if shape is None else [dim for dim in shape if isinstance(dim, int)]
    count = None if sizes is None or shape is None or len(sizes) < len(shape) else prod(sizes)
    return Size(count, None if value.dtype is None else _item_size(value.dtype))


def _item_size(dtype: str) -> int | None:
    kind = dtype_class(dtype) or ""
    bits = dtype[len(kind) :]
    return _DEFAULTS.get(kind) if not bits else int(bits) // 8 if bits.isdigit() else None
