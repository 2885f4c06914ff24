"""after general knowledge; slug: axes-mismatch; corrected twin"""
import jax
import jax.numpy as jnp


def interpolate(x, grid, values):
    return jnp.interp(x, grid, values)


def resample(signals, grid, n=8):
    """signals: one per column."""
    new_grid = jnp.linspace(0.0, 1.0, n)
    columns = jax.vmap(interpolate, in_axes=(None, None, 1))
    return columns(new_grid, grid, signals)


def demonstrate():
    resample(jnp.ones((5, 2)), jnp.linspace(0, 1, 5))
