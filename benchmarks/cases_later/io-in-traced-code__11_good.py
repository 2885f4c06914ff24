"""after step time measured inside the compiled function; slug: io-in-traced-code; corrected twin"""
import time

import jax
import jax.numpy as jnp


@jax.jit
def solve(a, b):
    x = jnp.linalg.solve(a, b)
    return x


def timings(a, b, n):
    out = []
    for _ in range(n):
        start = time.perf_counter()
        jax.block_until_ready(solve(a, b))
        out.append(time.perf_counter() - start)
    return out


def demonstrate():
    t = timings(jnp.eye(3), jnp.ones(3), 4)
