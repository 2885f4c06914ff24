"""after loop bound from jnp.log2 of a shape; slug: jnp-on-static-value; corrected twin"""
import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def prefix_sum(x):
    n = x.shape[0]
    levels = int(np.log2(n))
    for d in range(levels):
        shift = 2 ** d
        x = x + jnp.pad(x, (shift, 0))[:n]
    return x


def demonstrate():
    prefix_sum(jnp.ones(8))
