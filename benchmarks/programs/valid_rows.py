import jax
import jax.numpy as jnp


@jax.jit
def first_valid(mask, values):
    idx = jnp.nonzero(mask)[0]
    return values[idx[0]]


# --- what it should do
assert first_valid(jnp.array([False, True]), jnp.array([1.0, 2.0])) == 2.0
