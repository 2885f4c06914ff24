"""after general knowledge; slug: unregistered-class-argument"""
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


penalty_fn = jax.jit(penalty)


def regularise(weights):
    return penalty_fn(weights, Norm.L1, strength=0.1)  # expect: unregistered-class-argument


def demonstrate():
    try:
        regularise(jnp.ones(3))
    except Exception as err:
        assert type(err).__name__ == 'TypeError', repr(err)
    else:
        raise AssertionError('expected TypeError')
