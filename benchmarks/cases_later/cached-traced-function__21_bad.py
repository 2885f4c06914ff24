"""after a cached property of masks used in two compiled functions; slug: cached-traced-function"""
from functools import cached_property

import jax
import jax.numpy as jnp


class Causal:
    def __init__(self, n):
        self.n = n

    @cached_property  # expect: cached-traced-function
    def mask(self):
        return jnp.tril(jnp.ones((self.n, self.n)))


def demonstrate():
    causal = Causal(3)
    f = jax.jit(lambda x: x * causal.mask)
    g = jax.jit(lambda x: x + causal.mask)
    f(jnp.ones((3, 3)))
    try:
        g(jnp.ones((3, 3)))
    except Exception as err:
        assert type(err).__name__ == 'UnexpectedTracerError', repr(err)
    else:
        raise AssertionError('expected UnexpectedTracerError')
