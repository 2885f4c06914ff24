"""after dispatch time taken for run time; slug: unsynchronized-timing; corrected twin"""
import time

import jax
import jax.numpy as jnp


@jax.jit
def attention(q, k, v):
    return jax.nn.softmax(q @ k.T) @ v


def benchmark(n):
    x = jnp.ones((n, n))
    attention(x, x, x).block_until_ready()
    start = time.perf_counter()
    for _ in range(10):
        out = attention(x, x, x)
    out.block_until_ready()
    elapsed = time.perf_counter() - start
    return elapsed / 10, out


def demonstrate():
    waits = []
    array = type(jnp.ones(1))
    plain = array.block_until_ready
    array.block_until_ready = lambda self: (waits.append(1), plain(self))[1]
    benchmark(4)
    array.block_until_ready = plain
    assert len(waits) == 2
