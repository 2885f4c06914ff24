"""a learning rate that is once an int and then a float; slug: weak-type-recompile"""
import jax
import jax.numpy as jnp
import optax


@jax.jit
def sgd(params, grads, rate):
    return jax.tree.map(lambda p, g: p - rate * g, params, grads)


def fit(params, grads):
    params = sgd(params, grads, 1)
    params = sgd(params, grads, 0.1)  # expect: weak-type-recompile
    return optax.global_norm(params)


def demonstrate():
    tree = {"w": jnp.ones(3), "b": jnp.ones(())}
    fit(tree, tree)
    assert sgd._cache_size() == 2
