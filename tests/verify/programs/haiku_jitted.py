"""Haiku: transformed functions of the user's and of the library, and fresh transforms at each call."""

import haiku as hk
import jax
import jax.numpy as jnp
from counted import ran


# reasons: first first shape
def net(x):
    ran("net")
    return hk.nets.MLP([3, 1])(x)


def fresh(x):
    # reasons: first new-function-object new-function-object
    def body(y):
        ran("fresh.<locals>.body")
        return y * 2

    return jax.jit(hk.transform(body).apply)({}, None, x)


def main():
    transformed = hk.without_apply_rng(hk.transform(net))
    params = jax.jit(transformed.init)(jax.random.key(0), jnp.ones((1, 2)))
    apply = jax.jit(transformed.apply)
    for size in (4, 4, 3, 4):
        apply(params, jnp.ones((size, 2)))
    for _ in range(3):
        fresh(jnp.ones(3))


main()
