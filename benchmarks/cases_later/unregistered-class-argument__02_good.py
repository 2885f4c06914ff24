"""after general knowledge; slug: unregistered-class-argument; corrected twin"""
import enum

import jax
import jax.numpy as jnp


class Norm(enum.Enum):
    L1 = 1
    L2 = 2


def penalty(weights, kind, strength):
    if kind is Norm.L1:
        return strength * jnp.sum(jnp.abs(weights))
    return strength * jnp.sum(weights ** 2)


penalty_fn = jax.jit(penalty, static_argnames="kind")


def regularise(weights):
    return penalty_fn(weights, Norm.L1, strength=0.1)


def demonstrate():
    regularise(jnp.ones(3))
