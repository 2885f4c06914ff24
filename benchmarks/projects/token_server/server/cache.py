"""The key-value cache: slots are filled as tokens come."""
from typing import NamedTuple

import jax
import jax.numpy as jnp


class Cache(NamedTuple):
    keys: jax.Array
    values: jax.Array
    length: jax.Array

    @classmethod
    def empty(cls, config, capacity):
        shape, dtype = (config.layers, capacity, config.width), config.jnp_dtype
        return cls(jnp.zeros(shape, dtype), jnp.zeros(shape, dtype), jnp.zeros((), jnp.int32))


def write(cache: Cache, layer, key, value):
    keys = cache.keys.at[layer, cache.length].set(key)
    values = cache.values.at[layer, cache.length].set(value)
    return cache._replace(keys=keys, values=values)


def visible(cache: Cache, layer):
    return cache.keys[layer, : cache.length]  # expect: traced-slice-bound


def mask(cache: Cache):
    return jnp.arange(cache.keys.shape[1]) <= cache.length


def evict(cache: Cache, slot):
    cache.keys.at[:, slot].set(0.0)  # expect: discarded-at-update
    return cache._replace(length=cache.length - 1)
