"""after flattening with jnp.prod of a shape; slug: jnp-on-static-value; corrected twin"""
import jax
import jax.numpy as jnp
import numpy as np


def flat_size(shape):
    return int(np.prod(shape))


@jax.jit
def flatten(x):
    return x.reshape(x.shape[0], flat_size(x.shape[1:]))


def demonstrate():
    flatten(jnp.ones((2, 3, 4)))
