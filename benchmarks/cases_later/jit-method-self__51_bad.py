"""a plain class around an equinox model with a compiled method; slug: jit-method-self"""
from functools import partial

import equinox as eqx
import jax
import jax.numpy as jnp


class Predictor:
    def __init__(self, key):
        self.layer = eqx.nn.Linear(3, 2, key=key)
        self.mean = jnp.zeros(3)

    @jax.jit  # expect: jit-method-self
    def predict(self, x):
        return self.layer(x - self.mean)


def main():
    return Predictor(jax.random.key(0)).predict(jnp.ones(3))


def demonstrate():
    try:
        main()
    except TypeError as err:
        return str(err)
    raise AssertionError("expected a failure")
