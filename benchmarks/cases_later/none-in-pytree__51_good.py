"""gradients that are None where a bias is not trained; slug: none-in-pytree"""
from functools import partial

import jax
import jax.numpy as jnp


def sgd(rate, param, grad):
    return param - rate * grad


def loss(kernel, bias, x):
    return jnp.mean((x @ kernel + bias) ** 2)


def gradients(params, x):
    kernel = jax.grad(loss)(params["kernel"], params["bias"], x)
    return {"kernel": kernel, "bias": None}


def main():
    params = {"kernel": jnp.ones((3, 2)), "bias": jnp.zeros(2)}
    grads = gradients(params, jnp.ones((4, 3)))
    return jax.tree.map(lambda p, g: p if g is None else sgd(0.1, p, g), params, grads, is_leaf=lambda v: v is None)


def demonstrate():
    main()
