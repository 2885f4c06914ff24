"""after general knowledge; slug: jit-in-loop; corrected twin"""
import jax
import jax.numpy as jnp


def loss(p, x, y):
    return jnp.mean((x @ p - y) ** 2)


slope = jax.jit(jax.grad(loss))


def fit_epoch(params, batches, lr):
    for x, y in batches:
        params = params - lr * slope(params, x, y)
    return params


def demonstrate():
    fit_epoch(jnp.zeros(3), [(jnp.ones((2, 3)), jnp.ones(2))], 0.1)
