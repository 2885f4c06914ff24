"""clean: equinox training step, static callables, filtered optimiser state"""
from typing import Callable

import equinox as eqx
import jax
import jax.numpy as jnp
import optax


class Net(eqx.Module):
    layers: list
    activation: Callable = eqx.field(static=True)
    drop: eqx.nn.Dropout

    def __init__(self, key):
        k1, k2 = jax.random.split(key)
        self.layers = [eqx.nn.Linear(2, 8, key=k1), eqx.nn.Linear(8, 1, key=k2)]
        self.activation = jax.nn.relu
        self.drop = eqx.nn.Dropout(0.1)

    def __call__(self, x, key):
        h = self.activation(self.layers[0](x))
        return self.layers[1](self.drop(h, key=key))


@eqx.filter_jit
def step(model, state, opt, x, y, key):
    def loss(model):
        keys = jax.random.split(key, x.shape[0])
        return jnp.mean((jax.vmap(model)(x, keys) - y) ** 2)

    value, grads = eqx.filter_value_and_grad(loss)(model)
    updates, state = opt.update(grads, state, eqx.filter(model, eqx.is_inexact_array))
    return eqx.apply_updates(model, updates), state, value


def fit(key, x, y, steps):
    model_key, key = jax.random.split(key)
    model, opt = Net(model_key), optax.adamw(1e-3)
    state = opt.init(eqx.filter(model, eqx.is_inexact_array))
    for i in range(steps):
        model, state, value = step(model, state, opt, x, y, jax.random.fold_in(key, i))
    return value


def demonstrate():
    fit(jax.random.key(0), jnp.ones((4, 2)), jnp.ones((4, 1)), 2)
