import jax
import jax.numpy as jnp

import core
from core import losses, steps
from core.registry import PAIR, TABLE
from decorators import Compiled, compiled, compiled_with, donating, run

hinge = jax.jit(core.hinge)
absolute = jax.jit(core.absolute)
step = jax.jit(core.step)
counted = jax.jit(steps.counted_step, static_argnums=1)
model = steps.Model(3)
apply = jax.jit(model.apply)
compiled_model = jax.jit(steps.Model(2))
fixed = jax.jit(steps.stepper(0.5))
clip = Compiled(losses.clipped)


@compiled
def loss(x):
    if x > 0:  # expect: traced-branch
        return x
    return -x


@compiled_with("order")
def power(x, order):
    if order > 2:
        x = x * x
    return x if x > 0 else -x  # expect: traced-branch


@donating
def normalised(x):
    return x / max(x, 1)  # expect: traced-branch


@donating(static=("axis",))
def summed(x, axis):
    if axis == 0:
        x = x.T
    return x.sum()


def doubled(x):
    return run(TABLE["double"], x)


def tested(x):
    return run(PAIR[1], x)


def lazily(x):
    from core.steps import counted_step as count

    return jax.jit(lambda x: count(x, 3))(x)


def main():
    one = jnp.float32(1.0)
    hinge(one), absolute(one), step(one, 3), counted(one, 3), apply(one), fixed(one)
    loss(one), power(one, 3), normalised(jnp.float32(2.0)), summed(jnp.ones((2, 2)), 0)  # expect: unused-donation
    doubled(one), tested(one), lazily(one), compiled_model(one), clip(one, 0.0, 2.0)
    losses.only_on_the_host(2.0)
