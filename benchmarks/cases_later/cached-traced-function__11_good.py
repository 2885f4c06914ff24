"""after positional encodings cached with lru_cache; slug: cached-traced-function; corrected twin"""
from functools import lru_cache

import jax
import jax.numpy as jnp


def encoding(length, dim):
    position = jnp.arange(length)[:, None]
    rate = jnp.exp(-jnp.arange(0, dim, 2) * (jnp.log(10_000.0) / dim))
    return jnp.concatenate([jnp.sin(position * rate), jnp.cos(position * rate)], axis=1)


@jax.jit
def embed(x):
    return x + encoding(x.shape[0], x.shape[1])


@jax.jit
def embed_twice(x):
    return 2 * x + encoding(x.shape[0], x.shape[1])


def demonstrate():
    x = jnp.ones((3, 4))
    embed(x)
    embed_twice(x)
