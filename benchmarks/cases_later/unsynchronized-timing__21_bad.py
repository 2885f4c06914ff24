"""after a decorator that times JAX functions; slug: unsynchronized-timing"""
import functools
import time

import jax
import jax.numpy as jnp


def timed(f):
    @functools.wraps(f)
    def wrapper(*args):
        start = time.time()
        out = f(*args)
        return out, time.time() - start  # expect: unsynchronized-timing

    return wrapper


@timed
@jax.jit
def gram(x):
    return x @ x.T


def demonstrate():
    _, seconds = gram(jnp.ones((50, 50)))
    assert seconds >= 0
