"""after general knowledge; clean: a factory that jits closures once; a cache of compiled functions"""
import functools

import jax
import jax.numpy as jnp


def make_update(loss_fn, lr):
    @jax.jit
    def update(params, *batch):
        value, grads = jax.value_and_grad(loss_fn)(params, *batch)
        return jax.tree.map(lambda p, g: p - lr * g, params, grads), value

    return update


@functools.lru_cache(maxsize=None)
def compiled_power(n):
    return jax.jit(lambda x: x ** n)


def train(xs, ys):
    update = make_update(lambda w, x, y: jnp.mean((x @ w - y) ** 2), 0.1)
    w = jnp.zeros(xs.shape[1])
    for _ in range(3):
        w, value = update(w, xs, ys)
    return compiled_power(2)(w), value


def demonstrate():
    train(jnp.ones((3, 2)), jnp.ones(3))
