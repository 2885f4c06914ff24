"""after metrics written into a module dict; slug: captured-mutation; corrected twin"""
from functools import partial

import jax
import jax.numpy as jnp

METRICS = {"calls": 0, "norm": None}


def clip(grad, limit):
    norm = jnp.sqrt(jnp.sum(grad ** 2))
    return grad * jnp.minimum(1.0, limit / (norm + 1e-6))


@partial(jax.jit, static_argnames="limit")
def step(w, x, limit=1.0):
    grad = jax.grad(lambda w: jnp.sum((x @ w) ** 2))(w)
    return w - 0.1 * clip(grad, limit)


def fit(w, x, n):
    for _ in range(n):
        w = step(w, x)
        METRICS["calls"] += 1
    return w


def demonstrate():
    fit(jnp.ones(2), jnp.ones((2, 2)), 4)
    assert METRICS["calls"] == 4
