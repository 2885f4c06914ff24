"""What comes to one place at each pass of a loop: whether it is computed yet, is the same as before, or has grown."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from types import FrameType, ModuleType
from typing import Any, NamedTuple

from . import keys, trees


class _Before(NamedTuple):
    """What came to a point last: in which call of the function, as which object, and how large it was."""

    activation: int
    thing: Callable[[], Any]
    size: int | None


_before: dict[int, _Before] = {}


def facts(jax: ModuleType, number: int, value: Any, frame: FrameType) -> dict[str, Any]:
    """`again`: something came there before in the same call. `length` is that of what is gone through while tracing."""
    now = _Before(keys.activation(frame), _reference(value), _size(value))
    before = _before.get(number)
    _before[number] = now
    again = before is not None and before.activation == now.activation
    has_grown = before is not None and None not in (before.size, now.size) and now.size > before.size  # type: ignore[operator]
    return {
        "again": again,
        "same": again and before is not None and before.thing() is value,
        "grown": again and has_grown,
        "waited": any(_is_computing(jax, leaf) for leaf in _leaves(jax, value)),
        "length": _length(jax, value),
    }


def _reference(value: Any) -> Callable[[], Any]:
    try:
        return weakref.ref(value)
    except TypeError:
        return lambda: None


def _size(value: Any) -> int | None:
    size = getattr(value, "size", None)
    return size if type(size) is int else None


def _leaves(jax: ModuleType, value: Any) -> list[Any]:
    if hasattr(value, "is_ready"):
        return [value]
    return trees.leaves(jax, value)[:20] if type(value) in (list, tuple, dict) else []


def _is_computing(jax: ModuleType, leaf: Any) -> bool:
    if not isinstance(leaf, jax.Array) or isinstance(leaf, jax.core.Tracer):
        return False
    return not (leaf.is_deleted() or leaf.is_ready())


def _length(jax: ModuleType, value: Any) -> int | None:
    """How many elements a loop goes through; None for what is taken in passing, such as iterators."""
    if type(value) in (range, list, tuple, dict) or isinstance(value, jax.Array):
        try:
            return len(value)
        except TypeError:
            return None
    return None
