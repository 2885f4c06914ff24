"""Bodies under every transform, eagerly and inside jit; each counted where it stands."""

from functools import partial

import jax
import jax.numpy as jnp
from counted import ran
from jax import lax


def body(carry, x):
    ran("body")
    return carry + x, carry


def once(x):
    ran("once")
    return x + 1


@jax.vmap
def mapped(x):
    ran("mapped")
    return x * 2


@jax.jit
def loss(w, x):
    ran("loss")
    return jnp.sum((w * x) ** 2)


@jax.custom_vjp
def custom(x):
    ran("custom")
    return x * 2


def forward(x):
    ran("forward")
    return x * 2, None


def backward(_, g):
    ran("backward")
    return (g * 2,)


custom.defvjp(forward, backward)


@jax.custom_jvp
def tangent(x):
    ran("tangent")
    return x * 2


@tangent.defjvp
def tangent_rule(primals, tangents):
    ran("tangent_rule")
    return tangent(primals[0]), tangents[0] * 2


@partial(jax.checkpoint, policy=jax.checkpoint_policies.nothing_saveable)
def saved(x):
    ran("saved")
    return jnp.sin(x)


def keep_going(state):
    ran("keep_going")
    return state < 3


def advance(state):
    ran("advance")
    return state + 1


def main():
    for _ in range(3):
        lax.scan(body, 0.0, jnp.arange(3.0))

    def local(carry, x):
        ran("local")
        return carry + x, None

    for _ in range(3):
        lax.scan(local, 0.0, jnp.arange(3.0))
    for _ in range(3):
        jax.jit(once)(1.0)
    for _ in range(2):
        mapped(jnp.ones(3))
    step = jax.jit(jax.value_and_grad(loss))
    for _ in range(4):
        step(jnp.ones(3), jnp.ones(3))
    jax.jit(mapped)(jnp.ones(4))
    custom(1.0)
    jax.grad(custom)(1.0)
    jax.jvp(tangent, (1.0,), (1.0,))
    jax.jit(jax.grad(saved))(1.0)
    lax.while_loop(keep_going, advance, 0)
    lax.fori_loop(0, 3, lambda i, x: x + 1, 0.0)
    lax.cond(True, lambda x: x + 1, lambda x: x, 1.0)
    lax.map(mapped, jnp.ones((2, 3)))
    jax.jit(lambda x: lax.switch(1, [once, once], x))(1.0)
    print(jax.jit(lambda x: x + 1).lower(1.0).compile().as_text()[:9])


main()
