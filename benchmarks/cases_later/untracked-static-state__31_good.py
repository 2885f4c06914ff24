"""after a settings object that is static and then edited; slug: untracked-static-state"""

import functools

import jax
import jax.numpy as jnp


class Config:
    def __init__(self, scale):
        self.scale = scale


@jax.jit
def scaled(scale, x):
    return x * scale


def apply(config, x):
    return scaled(config.scale, x)


def sweep(x):
    config = Config(1.0)
    results = []
    for scale in (1.0, 2.0, 3.0):
        config.scale = scale
        results.append(apply(config, x))
    return results


def demonstrate():
    results = sweep(jnp.ones(2))
    assert float(results[2][0]) == 3.0
