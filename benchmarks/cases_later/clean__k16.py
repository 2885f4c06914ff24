"""clean: globals that never change, lazily made table, environment read at import"""
import os

import jax
import jax.numpy as jnp

DTYPE = os.environ.get("MY_DTYPE", "float32")
_TABLE = None


def table():
    global _TABLE
    if _TABLE is None:
        _TABLE = jnp.linspace(0.0, 1.0, 16).astype(DTYPE)
    return _TABLE


@jax.jit
def lookup(tab, i):
    return tab[i].astype(DTYPE)


def run(n):
    return [lookup(table(), i % 16) for i in range(n)]


def demonstrate():
    assert len(run(3)) == 3
