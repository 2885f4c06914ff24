"""a learning rate that is once an int and then a float; slug: none"""
import jax
import jax.numpy as jnp
import optax


@jax.jit
def sgd(params, grads, rate):
    return jax.tree.map(lambda p, g: p - rate * g, params, grads)


def fit(params, grads):
    params = sgd(params, grads, 1.0)
    params = sgd(params, grads, 0.1)
    return optax.global_norm(params)


def demonstrate():
    tree = {"w": jnp.ones(3), "b": jnp.ones(())}
    fit(tree, tree)
    assert sgd._cache_size() == 1
