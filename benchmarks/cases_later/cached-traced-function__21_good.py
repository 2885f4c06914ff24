"""after a cached property of masks used in two compiled functions; slug: cached-traced-function; corrected twin"""
from functools import cached_property

import jax
import jax.numpy as jnp


class Causal:
    def __init__(self, n):
        self.n = n

    @property
    def mask(self):
        return jnp.tril(jnp.ones((self.n, self.n)))


def demonstrate():
    causal = Causal(3)
    f = jax.jit(lambda x: x * causal.mask)
    g = jax.jit(lambda x: x + causal.mask)
    f(jnp.ones((3, 3)))
    g(jnp.ones((3, 3)))
