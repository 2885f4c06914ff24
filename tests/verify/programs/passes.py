"""Loops whose passes cost what one pass need not: marked with what a run shows of them."""

import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def heavy(w):
    product = jax.lax.dot(w, jnp.tanh(jax.lax.dot(w, w)))
    return jnp.tanh(product), jnp.mean(product)


def waiting(w, steps):
    seen = []
    for _ in range(steps):
        w, mean = heavy(w)
        seen.append(float(mean))  # confirmed: host-sync-in-loop
    return seen


def waiting_once(w, steps):
    seen = []
    for _ in range(steps):
        w, mean = heavy(w)
        seen.append(float(mean))  # not-reproduced: host-sync-in-loop
    return seen


def growing(x, steps):
    rows = jnp.zeros((0, 2))
    for _ in range(steps):
        x = x + 0.1 * jnp.cos(x)
        rows = jnp.vstack([rows, x])  # confirmed: array-built-in-loop
    return rows


def norms(points):
    return jnp.stack([jnp.sqrt(jnp.sum(jnp.sin(p) ** 2)) for p in points])  # confirmed: loop-over-array


def error(weights, x):
    return jnp.mean((jnp.tanh(x @ weights) - jnp.cos(x @ weights) - 1) ** 2)


def fit(x, steps):
    weights = jnp.zeros(8)
    for _ in range(steps):
        weights -= 0.1 * jax.grad(error)(weights, x)  # confirmed: unjitted-hot-loop
    return weights


@jax.jit
def unrolled(x):
    for _ in range(300):  # confirmed: unrolled-loop
        x = x + 0.01 * jnp.sin(x)
    return x


@jax.jit
def average(x):
    count = jnp.prod(jnp.array(x.shape))  # confirmed: jnp-on-static-value
    return jnp.sum(x) / count


@jax.jit
def step(weights, x, y):
    return weights - 0.1 * jax.grad(lambda w: jnp.mean((x @ w - y) ** 2))(weights)


def copying(rows, steps):
    x, y = np.random.rand(rows, 8), np.random.rand(rows)
    weights = jnp.zeros(8)
    for _ in range(steps):
        weights = step(weights, x, y)  # confirmed: transfer-in-loop
    return weights


if __name__ == "__main__":
    large = jnp.ones((1200, 1200)) / 1200
    waiting(large, 12)
    waiting_once(large, 1)
    growing(jnp.ones(2), 12)
    norms(jnp.ones((100, 3)))
    fit(jnp.ones((4, 8)), 20)
    unrolled(jnp.ones(4))
    average(jnp.ones((2, 4)))
    copying(4, 50)
