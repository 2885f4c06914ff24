"""Samplers: chains under `vmap` and `scan`, a proposal that is made anew, kernels that come in as static functions."""

from functools import partial

import jax
import jax.numpy as jnp
from counted import ran
from jax import lax


def log_density(x):
    return -0.5 * jnp.sum(x**2)


def other_density(x):
    return -jnp.sum(jnp.abs(x))


def metropolis(density, key, x):
    first, second = jax.random.split(key)
    proposal = x + 0.5 * jax.random.normal(first, x.shape)
    accepted = jnp.log(jax.random.uniform(second)) < density(proposal) - density(x)
    return jnp.where(accepted, proposal, x)


# reasons: first static-identity static-value static-value
@partial(jax.jit, static_argnames=("density", "steps"))
def chain(density, key, x, steps):
    ran("chain")

    def one(x, key):
        ran("chain.<locals>.one")
        x = metropolis(density, key, x)
        return x, x

    return lax.scan(one, x, jax.random.split(key, steps))


# reasons: first shape
@jax.jit
def chains(keys, starts):
    ran("chains")
    return jax.vmap(lambda key, x: chain(log_density, key, x, steps=5)[0])(keys, starts)


# reasons: first new-function-object new-function-object
def leapfrog(size, x, p):
    ran("leapfrog")
    p = p + 0.5 * size * jax.grad(log_density)(x)
    x = x + size * p
    return x, p + 0.5 * size * jax.grad(log_density)(x)


# reasons: first
@jax.jit
def leapfrog_traced(size, x, p):
    ran("leapfrog_traced")
    p = p + 0.5 * size * jax.grad(log_density)(x)
    x = x + size * p
    return x, p + 0.5 * size * jax.grad(log_density)(x)


# reasons: first
@jax.jit
def tempered(x, beta):
    ran("tempered")
    return lax.cond(beta > 0.5, log_density, other_density, beta * x)


def main():
    key = jax.random.PRNGKey(0)
    x = jnp.ones(2)
    chain(log_density, key, x, steps=4)
    chain(other_density, key, x, steps=4)
    chain(log_density, key, x, steps=6)
    chain(log_density, key, x, steps=4)
    for count in (3, 3, 5):
        chains(jax.random.split(key, count), jnp.ones((count, 2)))
    p = jnp.ones(2)
    for size in (0.1, 0.2, 0.3):
        jax.jit(partial(leapfrog, size))(x, p)  # confirmed: jit-in-loop
        leapfrog_traced(size, x, p)
        tempered(x, size)


main()
