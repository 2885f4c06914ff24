"""moments of activations in double precision; slug: silent-float64-truncation"""
from functools import partial

import flax.linen as nn
import jax
import jax.numpy as jnp


accumulate = partial(jnp.zeros, dtype=jnp.float64)


def moments(batches, width):
    total, squares = accumulate((width,)), accumulate((width,))
    for batch in batches:
        hidden = nn.relu(batch)
        total = total + hidden.astype(jnp.float64).sum(axis=0)  # expect: silent-float64-truncation
        squares = squares + (hidden**2).sum(axis=0)
    return total, squares


def main():
    return moments([jnp.ones((4, 3)), -jnp.ones((4, 3))], 3)


def demonstrate():
    assert main()[0].dtype == jnp.float32
