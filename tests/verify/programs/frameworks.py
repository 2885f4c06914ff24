"""Functions that Equinox, Flax and Haiku hand to JAX."""

import equinox as eqx
import flax.linen as nn
import flax.nnx as nnx
import haiku as hk
import jax
import jax.numpy as jnp
import optax
from counted import ran


@eqx.filter_jit
def filtered(model, x):
    ran("filtered")
    return model(x)


class Net(eqx.Module):
    w: jax.Array
    act: str = eqx.field(static=True)

    def __init__(self):
        self.w = jnp.ones(3)
        self.act = "relu"

    @eqx.filter_jit
    def method(self, x):
        ran("Net.method")
        return self.w * x

    def __call__(self, x):
        return self.w * x


class Dense(nn.Module):
    @nn.compact
    def __call__(self, x):
        ran("Dense.__call__")
        return nn.Dense(2)(x)


class Layer(nnx.Module):
    def __init__(self):
        self.w = nnx.Param(jnp.ones(3))


@nnx.jit
def nnx_step(layer, x):
    ran("nnx_step")
    return layer.w[...] * x


@hk.transform
def transformed(x):
    ran("transformed")
    return hk.Linear(2)(x)


def train():
    optimizer = optax.sgd(0.1)
    params = jnp.ones(3)
    state = optimizer.init(params)

    @jax.jit
    def update(params, state, x):
        ran("train.<locals>.update")
        grads = jax.grad(lambda p: jnp.sum((p * x) ** 2))(params)
        updates, state = optimizer.update(grads, state)
        return optax.apply_updates(params, updates), state

    for _ in range(3):
        params, state = update(params, state, jnp.ones(3))


net = Net()
for _ in range(3):
    filtered(net, jnp.ones(3))
filtered(net, 2.0)
filtered(net, 3.0)
net.method(jnp.ones(3))
net.method(jnp.ones(3))
layer = Layer()
for _ in range(3):
    nnx_step(layer, jnp.ones(3))
train()
key = jax.random.key(0)
params = jax.jit(transformed.init)(key, jnp.ones(3))
apply = jax.jit(transformed.apply)
for _ in range(3):
    apply(params, key, jnp.ones(3))
