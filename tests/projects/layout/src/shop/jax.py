"""A module with the name of a library: inside the package it is another one."""

import jax
import jax.numpy as jnp


def jit(function):
    """Compiles nothing."""
    return function


@jit
def softened(x):
    return x if x > 0 else -x


@jax.jit
def hardened(x):
    return jnp.abs(x) if x > 0 else -x  # expect: traced-branch
