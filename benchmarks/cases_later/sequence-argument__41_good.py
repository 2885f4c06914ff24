"""the terms of a loss, gathered in a list; slug: none"""
import jax
import jax.numpy as jnp
import optax


def terms(params, x, y):
    pred = x @ params["w"] + params["b"]
    return [optax.l2_loss(pred, y).mean(), 1e-3 * jnp.sum(params["w"] ** 2)]


def loss(params, x, y):
    parts = terms(params, x, y)
    return jnp.mean(jnp.stack(parts))


def train():
    params = {"w": jnp.ones((3,)), "b": jnp.zeros(())}
    x, y = jnp.ones((5, 3)), jnp.zeros((5,))
    return jax.value_and_grad(loss)(params, x, y)


def demonstrate():
    train()
