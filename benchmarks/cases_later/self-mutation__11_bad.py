"""after a hand-written Adam that counts in a compiled method; slug: self-mutation"""
from functools import partial

import jax
import jax.numpy as jnp


class Adam:
    def __init__(self, lr=1e-2, beta=0.9):
        self.lr = lr
        self.beta = beta
        self.count = 0

    def bias_correction(self, m):
        self.count += 1  # expect: self-mutation
        return m / (1 - self.beta ** self.count)

    @partial(jax.jit, static_argnums=0)
    def update(self, grad, m):
        m = self.beta * m + (1 - self.beta) * grad
        return -self.lr * self.bias_correction(m), m


def minimise(steps):
    opt, w, m = Adam(), jnp.ones(2), jnp.zeros(2)
    for _ in range(steps):
        delta, m = opt.update(2 * w, m)
        w = w + delta
    return opt, w


def demonstrate():
    opt, _ = minimise(4)
    assert opt.count == 1
