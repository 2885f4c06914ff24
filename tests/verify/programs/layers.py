"""Layers with derivatives of their own, rematerialised blocks and a stack of layers under `lax.scan`."""

from functools import partial

import jax
import jax.numpy as jnp
from counted import ran
from jax import lax


@jax.custom_vjp
def clipped(x):
    ran("clipped")
    return x


def clipped_forward(x):
    ran("clipped_forward")
    return x, None


def clipped_backward(_, g):
    ran("clipped_backward")
    return (jnp.clip(g, -1.0, 1.0),)


clipped.defvjp(clipped_forward, clipped_backward)


@partial(jax.custom_vjp, nondiff_argnums=(1,))
def scaled(x, by):
    ran("scaled")
    return x * by


def scaled_forward(x, by):
    ran("scaled_forward")
    return x * by, None


def scaled_backward(by, _, g):
    ran("scaled_backward")
    return (g * by,)


scaled.defvjp(scaled_forward, scaled_backward)


@jax.custom_jvp
def softabs(x):
    ran("softabs")
    return jnp.sqrt(x * x + 1e-6)


@softabs.defjvp
def softabs_rule(primals, tangents):
    ran("softabs_rule")
    (x,), (dx,) = primals, tangents
    return softabs(x), dx * jnp.tanh(x)


@jax.checkpoint
def block(x, w):
    ran("block")
    return jnp.tanh(x @ w)


def network(params, x):

    def layer(x, w):
        ran("network.<locals>.layer")
        return clipped(block(x, w)), None

    x, _ = lax.scan(layer, x, params["layers"])
    return jnp.mean(softabs(scaled(x, 2.0)))


# reasons: first weak-type shape
@jax.jit
def train_step(params, x):
    ran("train_step")
    value, grads = jax.value_and_grad(network)(params, x)
    return jax.tree_util.tree_map(lambda p, g: p - 0.1 * g, params, grads), value


# reasons: first
@jax.jit
def infer(params, x):
    ran("infer")
    return network(params, x)


# reasons: first static-value
@partial(jax.jit, static_argnames="depth")
def unrolled(w, x, depth):
    ran("unrolled")
    for _ in range(depth):
        x = jnp.tanh(x @ w)
    return x


# reasons: first
@jax.jit
def halve(x):
    ran("halve")

    def above(x):
        ran("halve.<locals>.above")
        return jnp.max(x) > 0.1

    def half(x):
        ran("halve.<locals>.half")
        return x / 2

    return lax.while_loop(above, half, x)


def main():
    params = {"layers": jnp.full((3, 4, 4), 0.1)}  # weakly typed, until the first step
    x = jnp.ones((2, 4))
    for _ in range(3):
        params, _ = train_step(params, x)
    train_step(params, jnp.ones((5, 4)))
    for _ in range(2):
        infer(params, x)
        halve(x)
    for depth in (2, 4, 2):
        unrolled(params["layers"][0], x, depth)


main()
