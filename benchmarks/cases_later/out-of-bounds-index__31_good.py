"""after one key short for the layers of a plain network; slug: out-of-bounds-index"""

import jax
import jax.numpy as jnp


class Network:
    """A two-layer perceptron with explicit weights."""

    def __init__(self, key, sizes):
        keys = jax.random.split(key, 3)
        self.w1 = jax.random.normal(keys[0], (sizes[0], sizes[1])) * 0.1
        self.w2 = jax.random.normal(keys[1], (sizes[1], sizes[2])) * 0.1
        self.bias = 0.01 * jax.random.normal(keys[2], (sizes[2],))

    def __call__(self, x):
        return jnp.tanh(x @ self.w1) @ self.w2 + self.bias


def build(seed):
    return Network(jax.random.key(seed), (4, 8, 2))


def demonstrate():
    assert build(0)(jnp.ones(4)).shape == (2,)
