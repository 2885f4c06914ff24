"""after general knowledge; slug: axes-mismatch; corrected twin"""
import functools

import jax
import jax.numpy as jnp


@functools.partial(jax.vmap, in_axes=(0, None, None))
def interpolate(x, grid, values):
    return jnp.interp(x, grid, values)


def resample(xs, table):
    return interpolate(xs, table, jnp.sin(table))


def demonstrate():
    resample(jnp.ones(3), jnp.linspace(0, 1, 4))
