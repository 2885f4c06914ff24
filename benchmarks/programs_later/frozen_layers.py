import jax
import jax.numpy as jnp


def average(params):
    return jax.tree.map(lambda p: jnp.zeros(1) if p is None else p, params)


# --- what it should do
out = average({"a": None, "b": jnp.ones(1)})
assert out["a"] is not None
