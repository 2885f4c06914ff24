"""after general knowledge; slug: reverse-grad-through-while; corrected twin"""
import functools

import jax
import jax.numpy as jnp


def simulate(rate, n_steps):
    return jax.lax.fori_loop(0, n_steps, lambda i, pop: pop + 0.1 * rate * pop * (1 - pop), 0.1)


def misfit(rate, observed, n_steps):
    return (simulate(rate, n_steps) - observed) ** 2


@functools.partial(jax.jit, static_argnames="n_steps")
def fit_step(rate, observed, n_steps):
    return rate - 0.5 * jax.grad(misfit)(rate, observed, n_steps)


def demonstrate():
    fit_step(1.0, 0.5, n_steps=10)
