"""In a namespace package."""

import jax.numpy as jnp


def blank(n):
    return jnp.zeros(n)  # expect: traced-shape
