"""after perf_counter pairs around an epoch of steps; slug: unsynchronized-timing; corrected twin"""
import time

import jax
import jax.numpy as jnp


@jax.jit
def step(w, x):
    return w - 0.01 * jax.grad(lambda w: jnp.mean((x @ w) ** 2))(w)


def run_epoch(w, xs):
    w = step(w, xs[0])
    w.block_until_ready()
    t0 = time.perf_counter()
    for x in xs:
        w = step(w, x)
    w.block_until_ready()
    t1 = time.perf_counter()
    print(f"epoch took {t1 - t0:.3f}s")
    return w


def demonstrate():
    run_epoch(jnp.ones(3), [jnp.ones((2, 3))] * 4)
