"""after a hand-written Adam that counts in a compiled method; slug: self-mutation; corrected twin"""
from functools import partial

import jax
import jax.numpy as jnp


class Adam:
    def __init__(self, lr=1e-2, beta=0.9):
        self.lr = lr
        self.beta = beta
        self.count = 0

    def bias_correction(self, m):
        return m / (1 - self.beta ** self.count)

    @partial(jax.jit, static_argnums=0)
    def update(self, grad, m, count):
        m = self.beta * m + (1 - self.beta) * grad
        return -self.lr * m / (1 - self.beta ** count), m


def minimise(steps):
    opt, w, m = Adam(), jnp.ones(2), jnp.zeros(2)
    for count in range(1, steps + 1):
        delta, m = opt.update(2 * w, m, float(count))
        w = w + delta
    return opt, w


def demonstrate():
    opt, _ = minimise(4)
