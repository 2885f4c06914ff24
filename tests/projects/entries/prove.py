"""Run each compiled function on JAX: those that are marked raise, the others do not."""

import jax
import jax.numpy as jnp
import pytest
import train

ERRORS = (
    jax.errors.ConcretizationTypeError,
    jax.errors.TracerBoolConversionError,
    jax.errors.TracerIntegerConversionError,
)


def prove():
    one = jnp.float32(1.0)
    for wrong in (
        lambda: train.hinge(one),
        lambda: train.step(one, 3),
        lambda: train.apply(one),
        lambda: train.fixed(one),
        lambda: train.loss(one),
        lambda: train.power(one, 3),
        lambda: train.normalised(one),
        lambda: train.doubled(one),
        lambda: train.tested(one),
        lambda: train.compiled_model(one),
        lambda: train.clip(one, 0.0, 2.0),
    ):
        with pytest.raises(ERRORS):
            wrong()
    train.absolute(one)
    train.counted(one, 3)
    train.summed(jnp.ones((2, 2)), 0)  # expect: unused-donation
    train.lazily(one)
    train.losses.only_on_the_host(2.0)
