"""clean: host sync once in a while, timing done right, warm-up first"""
import time

import jax
import jax.numpy as jnp


@jax.jit
def step(w, x):
    loss, grad = jax.value_and_grad(lambda w: jnp.sum((x @ w) ** 2))(w)
    return w - 0.01 * grad, loss


def train(w, x, steps, log_every=50):
    w, _ = step(w, x)
    jax.block_until_ready(w)
    start = time.perf_counter()
    for i in range(steps):
        w, loss = step(w, x)
        if i % log_every == 0:
            print(i, float(loss))
    w.block_until_ready()
    return w, time.perf_counter() - start


def demonstrate():
    train(jnp.ones(3), jnp.ones((2, 3)), 60)
