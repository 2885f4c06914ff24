from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, static_argnames=["kernal_size"])
def smooth(x, kernel_size):
    k = jnp.ones(kernel_size) / kernel_size
    return jnp.convolve(x, k, mode="same")


# --- what it should do
assert smooth(jnp.ones(5), 3).shape == (5,)
