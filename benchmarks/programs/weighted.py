from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, static_argnames=("weights",))
def weighted_mean(x, weights):
    return jnp.sum(x * weights) / jnp.sum(weights)


m = weighted_mean(jnp.arange(3.0), jnp.array([1.0, 1.0, 2.0]))

# --- what it should do
assert m == 1.25
