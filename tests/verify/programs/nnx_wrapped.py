"""Flax's NNX: its own `jit`, around functions of the user's, of the library, and around fresh ones at each call."""

from functools import partial

import jax
import jax.numpy as jnp
from counted import ran
from flax import nnx


# reasons: first shape
@nnx.jit
def step(model, x):
    ran("step")
    value, _ = nnx.value_and_grad(loss)(model, x)
    return value


# reasons: first not-cached
def loss(model, x):
    ran("loss")
    return jnp.mean(model(x) ** 2)


# reasons: first static-value
@partial(nnx.jit, static_argnames="scale")
def scaled(model, x, scale):
    ran("scaled")
    return model(x) * scale


def evaluate(model, x):
    # reasons: first new-function-object new-function-object new-function-object
    @nnx.jit
    def forward(m, a):
        ran("evaluate.<locals>.forward")
        return m(a).sum()

    return forward(model, x)


relu = nnx.jit(jax.nn.relu)  # jitted: jax.nn.relu: first shape
soft = nnx.jit(nnx.log_softmax)  # jitted: nnx.log_softmax: first shape


def main():
    model = nnx.Linear(3, 2, rngs=nnx.Rngs(0))
    for size in (4, 4, 3, 4):
        step(model, jnp.ones((size, 3)))
        evaluate(model, jnp.ones((5, 3)))
        relu(jnp.ones(size))
        soft(jnp.ones(size))
    for scale in (1, 2, 1):
        scaled(model, jnp.ones((2, 3)), scale=scale)


main()
