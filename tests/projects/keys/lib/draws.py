"""Helpers that consume keys, or do not."""

import logging

import jax

log = logging.getLogger(__name__)


def noise(key, shape):
    return jax.random.normal(key, shape)


def noise_and_key(key, shape):
    key, subkey = jax.random.split(key)
    return jax.random.normal(subkey, shape), key


def noise_and_old_key(key, shape):
    _, subkey = jax.random.split(key)
    return jax.random.normal(subkey, shape), key  # expect: parent-key-after-split


def is_typed(key):
    return jax.dtypes.issubdtype(key.dtype, jax.dtypes.prng_key)


def describe(key):
    log.debug("key of shape %s", key.shape)


def either(key, flag):
    if flag:
        return jax.random.normal(key)
    return jax.random.uniform(key)


def pair(key):
    return {"init": jax.random.fold_in(key, 0), "noise": jax.random.fold_in(key, 1)}


def several(key, n):
    return [noise(k, (2,)) for k in jax.random.split(key, n)]
