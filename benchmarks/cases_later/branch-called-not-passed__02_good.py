"""after general knowledge; slug: branch-called-not-passed; corrected twin"""
import jax
import jax.numpy as jnp


def implicit(u, dt):
    return u / (1 + dt)


def explicit(u, dt):
    return u * (1 - dt)


def advance(u, dt, method):
    return jax.lax.switch(method, [implicit, explicit], u, dt)


run = jax.jit(advance)


def demonstrate():
    run(jnp.ones(2), 0.1, 1)
