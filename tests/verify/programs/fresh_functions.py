"""Functions made anew at each call, under every way of wrapping them: each is compiled for itself."""

from functools import partial

import jax
import jax.numpy as jnp
from counted import ran


def decorated(x):
    # reasons: first new-function-object new-function-object
    @jax.jit  # confirmed: jit-in-function `jax.jit`
    def inner(y):
        ran("decorated.<locals>.inner")
        return y + 1

    return inner(x)


def under_vmap(x):
    # reasons: first new-function-object new-function-object
    def scaled(s, y):
        ran("under_vmap.<locals>.scaled")
        return y * s

    return jax.vmap(jax.jit(partial(scaled, 2.0)))(x)


def under_two(x):
    # reasons: first new-function-object new-function-object
    def doubled(y):
        ran("under_two.<locals>.doubled")
        return y * 2

    return jax.vmap(jax.vmap(jax.jit(doubled)))(x)


def with_gradient(x):
    # reasons: first new-function-object new-function-object
    def loss(y):
        ran("with_gradient.<locals>.loss")
        return jnp.sum(y**2)

    step = jax.jit(jax.value_and_grad(loss))  # confirmed: jit-in-function `jax.jit(jax.value_and_grad(loss))`
    return step(x)


def under_gradient(x):
    # reasons: first new-function-object new-function-object
    def objective(y):
        ran("under_gradient.<locals>.objective")
        return jnp.sum(y**3)

    return jax.grad(jax.jit(objective))(x)


# reasons: first not-cached not-cached
def eager(x):
    ran("eager")

    # reasons: first new-function-object new-function-object
    @jax.jit
    def part(y):
        ran("eager.<locals>.part")
        return jnp.sum(y) ** 2

    return part(x)


# reasons: first shape
@jax.jit
def whole(x):
    ran("whole")

    # reasons: first enclosing
    @jax.jit
    def piece(y):
        ran("whole.<locals>.piece")
        return y + 1

    return piece(x)


# reasons: first
def kept(x):
    ran("kept")
    return x - 1


# reasons: first new-function-object new-function-object
def held(scale, x):
    ran("held")
    return x * scale


def main():
    x = jnp.ones(3)
    jax.lax.while_loop(lambda s: s < 3, lambda s: s + 1, 0)  # jitted: main.<locals>.<lambda>: first first
    for _ in range(3):
        decorated(x)
        under_vmap(x)
        under_two(jnp.ones((3, 2)))
        with_gradient(x)
        under_gradient(x)
        jax.grad(eager)(x)
        whole(x)
        jax.vmap(jax.jit(kept))(x)
        jax.vmap(jax.jit(partial(held, 3.0)))(x)
    whole(jnp.ones(4))


main()
