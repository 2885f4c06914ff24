"""a linen model that splits its key for three parts and uses four; slug: out-of-bounds-index"""
import jax
import jax.numpy as jnp
from flax import linen as nn


class Encoder(nn.Module):
    width: int = 8

    @nn.compact
    def __call__(self, x):
        return nn.Dense(self.width)(nn.relu(x))


def build(seed):
    keys = jax.random.split(jax.random.key(seed), 3)
    x = jax.random.normal(keys[0], (2, 4))
    encoder = Encoder()
    left = encoder.init(keys[1], x)
    right = encoder.init(keys[3], x)  # expect: out-of-bounds-index
    return left, right, keys


def demonstrate():
    left, right, keys = build(0)
    same = Encoder().init(keys[2], jnp.ones((2, 4)))
    a, b = jax.tree.leaves(right)[1], jax.tree.leaves(same)[1]
    assert bool((a == b).all())
