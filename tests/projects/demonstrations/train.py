"""A script: its run is what it is for."""

import time

import jax
import jax.numpy as jnp
from lib.noise import twice

if __name__ == "__main__":
    key = jax.random.key(0)
    x = jax.random.normal(key, (500, 500))
    y = twice(key, x)  # expect: key-reuse
    step = jax.jit(lambda x: jnp.tanh(x @ x))
    step(x)
    start = time.perf_counter()
    y = step(x + y)
    print(time.perf_counter() - start, y.shape)  # expect: unsynchronized-timing
