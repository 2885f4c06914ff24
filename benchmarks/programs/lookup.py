import jax
import jax.numpy as jnp

NAMES = {0: 0.5, 1: 0.9}


@jax.jit
def discount(reward, level):
    return reward * NAMES[level]


# --- what it should do
assert discount(2.0, 0) == 1.0
