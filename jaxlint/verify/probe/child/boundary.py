"""Where the probe ends and the user's function begins."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax

from .inputs import Inputs


def boundary(function: Callable[..., Any], inputs: Inputs) -> Callable[..., Any]:
    """A fresh function through which the user's is called: frames above it are the user's and JAX's."""

    def jaxlint_probe_boundary(*leaves: Any) -> Any:
        return _arrays_of(inputs.call(function, leaves))

    return jaxlint_probe_boundary


def _arrays_of(result: Any) -> list[Any]:
    """The arrays of a result: what is no array cannot leave a trace, and is none of the probe's business."""
    try:
        leaves = jax.tree_util.tree_leaves(result)
    except Exception:
        return []
    return [leaf for leaf in leaves if isinstance(leaf, (jax.core.Tracer, jax.Array))]
