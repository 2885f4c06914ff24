"""The fixes of traced-slice-bound along the last of several axes."""

from __future__ import annotations

import pytest

from tests.linting import fixed

HEAD = "import jax\nimport jax.numpy as jnp\n\n\n@jax.jit\ndef f(x, y, i):\n    "

LAST_AXES = [
    ("x[0, :i].sum()", "x[0, :].sum(where=jnp.arange(x.shape[1]) < i)"),
    ("x[:, 1:i].sum()", "x[:, :].sum(where=jnp.logical_and(jnp.arange(x.shape[1]) >= 1, jnp.arange(x.shape[1]) < i))"),
    ("x[..., i:].std()", "x[..., :].std(where=jnp.arange(x.shape[-1]) >= i)"),
    ("jnp.mean(x[1, i:] - y[2, i:])", "jnp.mean(x[1, :] - y[2, :], where=jnp.arange(x.shape[1]) >= i)"),
    ("jnp.max(x[jnp.array([0, 2]), :i])",
     "jnp.max(x[jnp.array([0, 2]), :], where=jnp.arange(x.shape[1]) < i, initial=-jnp.inf)"),
    ("jnp.linalg.norm(x[0, :i])", "jnp.linalg.norm(jnp.where(jnp.arange(x.shape[1]) < i, x[0, :], 0))"),
]  # fmt: skip


@pytest.mark.parametrize(("before", "after"), LAST_AXES)
def test_a_mask_lies_along_the_last_axis(before: str, after: str) -> None:
    assert fixed(f"{HEAD}return {before}\n", "traced-slice-bound") == f"{HEAD}return {after}\n"


@pytest.mark.jax
@pytest.mark.parametrize(("before", "after"), LAST_AXES)
def test_it_computes_what_the_slice_meant(before: str, after: str) -> None:
    import jax
    import jax.numpy as jnp
    import numpy as np

    x = jnp.array([[1.5, -2.0, 3.0, 0.5], [0.5, 1.0, 2.0, -1.0], [4.0, 0.0, 1.0, 2.0]])
    names: dict[str, object] = {"jnp": jnp, "x": x, "y": x + 1, "i": 3}
    traced = jax.jit(lambda i: eval(after, {**names, "i": i}))
    np.testing.assert_allclose(eval(before, names), traced(3), rtol=1e-6)
