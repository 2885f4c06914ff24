"""after step time measured inside the compiled function; slug: io-in-traced-code"""
import time

import jax
import jax.numpy as jnp


@jax.jit
def solve(a, b):
    start = time.perf_counter()  # expect: io-in-traced-code
    x = jnp.linalg.solve(a, b)
    elapsed = time.perf_counter() - start  # expect: io-in-traced-code
    return x, elapsed


def timings(a, b, n):
    return [solve(a, b)[1] for _ in range(n)]


def demonstrate():
    t = timings(jnp.eye(3), jnp.ones(3), 4)
    assert len({float(v) for v in t}) == 1
