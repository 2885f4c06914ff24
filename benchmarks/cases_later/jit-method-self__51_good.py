"""a plain class around an equinox model with a compiled method; slug: jit-method-self"""
from functools import partial

import equinox as eqx
import jax
import jax.numpy as jnp


class Predictor:
    def __init__(self, key):
        self.layer = eqx.nn.Linear(3, 2, key=key)
        self.mean = jnp.zeros(3)

    @staticmethod
    @jax.jit
    def _predict(layer, mean, x):
        return layer(x - mean)

    def predict(self, x):
        return eqx.filter_jit(lambda layer, mean, x: layer(x - mean))(self.layer, self.mean, x)


def main():
    return Predictor(jax.random.key(0)).predict(jnp.ones(3))


def demonstrate():
    main()
