"""after general knowledge; clean: collectives under a mapped axis named by the caller"""
from functools import partial

import jax
import jax.numpy as jnp


def standardise(x, axis_name):
    mean = jax.lax.pmean(x, axis_name)
    return (x - mean) / jnp.sqrt(jax.lax.pmean((x - mean) ** 2, axis_name) + 1e-5)


class Norm:
    def __init__(self, axis):
        self.axis = axis

    def __call__(self, xs):
        return jax.vmap(partial(standardise, axis_name=self.axis), axis_name=self.axis)(xs)


def run(xs):
    return jax.jit(Norm("batch").__call__)(xs)


def demonstrate():
    run(jnp.ones((4, 2)))
