"""after metrics returned beside the loss of an nnx model; slug: missing-has-aux"""

import jax.numpy as jnp
from flax import nnx


class Regressor(nnx.Module):
    def __init__(self, rngs):
        self.inner = nnx.Linear(2, 4, rngs=rngs)
        self.outer = nnx.Linear(4, 1, rngs=rngs)

    def __call__(self, x):
        return self.outer(nnx.relu(self.inner(x)))


def loss_fn(model, x, y):
    prediction = model(x)
    loss = jnp.mean((prediction - y) ** 2)
    return loss, {"mae": jnp.mean(jnp.abs(prediction - y))}


@nnx.jit
def step(model, x, y):
    (loss, metrics), grads = nnx.value_and_grad(loss_fn)(model, x, y)  # expect: missing-has-aux
    return loss, metrics


def main():
    model = Regressor(nnx.Rngs(0))
    return step(model, jnp.ones((3, 2)), jnp.zeros((3, 1)))


def demonstrate():
    try:
        main()
    except TypeError:
        return
    assert False
