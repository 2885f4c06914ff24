"""What kind of value comes to a point, as far as a verdict asks for it."""

from __future__ import annotations

from types import ModuleType
from typing import Any

from . import signatures, trees

_HOLDING = (list, tuple, dict)
#: Values of these types hold nothing else, so no tracer and no array of JAX.
_CLOSED = frozenset({int, float, complex, bool, str, bytes, type(None), range, type(...)})
_MAX_LEAVES = 100


def kind(jax: ModuleType | None, value: Any, asked: str = "") -> str:
    """`tracer`, `array` (of JAX), `numpy`, `unhashable` or `other`. The truth of a container is that of its length."""
    if jax is None:
        return "other"
    leaves = [value] if _is_closed(value, asked) else _leaves(jax, value)
    if any(isinstance(leaf, jax.core.Tracer) for leaf in leaves):
        return "tracer"
    if any(isinstance(leaf, jax.Array) for leaf in leaves):
        return "array"
    if _is_of_numpy(value):
        return "numpy"
    return "unhashable" if type(value).__hash__ is None else "other"


def distinct(jax: ModuleType | None, value: Any) -> Any:
    """What tells values apart that a point must tell: their type, and what this alone does not say."""
    if type(value) in _HOLDING:
        return type(value), kind(jax, value), is_plain(jax, value)
    return type(value), is_read_only(value)


def is_plain(jax: ModuleType | None, value: Any, asked: str = "") -> bool:
    """Whether it is known that no tracer is in it: what holds others, such as an object of the user's, may have one."""
    leaves = [value] if jax is None or _is_closed(value, asked) else _leaves(jax, value)
    return len(leaves) < _MAX_LEAVES and all(_is_plain_leaf(jax, leaf, asked) for leaf in leaves)


def is_read_only(value: Any) -> bool:
    """Whether it is an array of NumPy that cannot be written to, as those are that show the data of JAX's."""
    return type(value).__module__ == "numpy" and getattr(getattr(value, "flags", None), "writeable", True) is False


def described(value: Any) -> str:
    """Its type, and of an array its dtype and shape."""
    if hasattr(value, "dtype") and hasattr(value, "shape"):
        return f"{type(value).__name__} {signatures.array_type(value)}"
    return type(value).__qualname__


def _is_closed(value: Any, asked: str) -> bool:
    """Whether only the value itself counts, not what is in it; the elements of a dict are its keys."""
    return asked in ("truth", "itself") or (asked == "elements" and type(value) is dict)


def _is_plain_leaf(jax: ModuleType | None, leaf: Any, asked: str) -> bool:
    if type(leaf) in _CLOSED or (_is_closed(leaf, asked) and type(leaf) in _HOLDING):
        return True
    if asked == "truth" and not hasattr(type(leaf), "__bool__"):
        return True  # its length decides, or nothing: no tracer is asked for its truth
    if _is_of_numpy(leaf):
        return bool(getattr(leaf.dtype, "kind", "O") != "O")
    return jax is not None and isinstance(leaf, jax.Array) and not isinstance(leaf, jax.core.Tracer)


def _is_of_numpy(value: Any) -> bool:
    return type(value).__module__ == "numpy" and hasattr(value, "shape") and hasattr(value, "dtype")


def _leaves(jax: ModuleType, value: Any) -> list[Any]:
    return trees.leaves(jax, value)[:_MAX_LEAVES] if type(value) in _HOLDING else [value]
