import functools

import jax
import jax.numpy as jnp


@functools.partial(jax.jit, static_argnames="sizes")
def init(key, sizes):
    keys = jax.random.split(key, len(sizes) - 1)
    return [jax.random.normal(k, (a, b)) for k, a, b in zip(keys, sizes[:-1], sizes[1:])]


def build():
    return init(jax.random.key(0), sizes=[2, 4, 1])


# --- what it should do
assert [w.shape for w in build()] == [(2, 4), (4, 1)]
