"""Keys in containers and objects."""

from typing import NamedTuple

import jax


class Carry(NamedTuple):
    key: jax.Array
    value: jax.Array


class Stream:
    """Gives keys out, one after the other."""

    def __init__(self, seed):
        self.key = jax.random.key(seed)

    def next(self):
        self.key, key = jax.random.split(self.key)
        return key


class Stuck:
    """Splits its key, and keeps the old one."""

    def __init__(self, seed):
        self.key = jax.random.key(seed)

    def next(self):
        _, key = jax.random.split(self.key)
        return key


def advance(carry):
    key, subkey = jax.random.split(carry.key)
    return Carry(key, carry.value + jax.random.normal(subkey))


def forgetful(carry):
    noise = jax.random.normal(carry.key)
    return Carry(carry.key, carry.value + noise)
