"""settings object changed between calls; slug: none"""
from functools import partial

import jax
import jax.numpy as jnp


class Config:
    def __init__(self, scale):
        self.scale = scale


@partial(jax.jit, static_argnums=0)
def apply(config, x):
    return x * config.scale


def anneal(x):
    config = Config(1.0)
    first = apply(config, x)
    config = Config(2.0)
    return first, apply(config, x)


def demonstrate():
    a, b = anneal(jnp.ones(()))
    assert (a, b) == (1.0, 2.0)
