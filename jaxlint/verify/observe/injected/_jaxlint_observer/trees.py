"""The leaves of a value, also of one that JAX cannot flatten: the observer must not fail where the program does."""

from __future__ import annotations

from types import ModuleType
from typing import Any


def leaves(jax: ModuleType, value: Any) -> list[Any]:
    """JAX's leaves; where it cannot flatten the value, such as a dict that it cannot sort, those of its parts."""
    try:
        found: list[Any] = jax.tree_util.tree_leaves(value)
    except Exception:  # the methods of the user's classes raise anything
        if not isinstance(value, (list, tuple, dict)):
            return [value]
        parts = value.values() if isinstance(value, dict) else value
        return [leaf for part in parts for leaf in leaves(jax, part)]
    return found
