"""after general knowledge; slug: late-config; corrected twin"""
import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)

GRID = jnp.linspace(0.0, 1.0, 5)


def integrate(f):
    return jnp.trapezoid(f(GRID), GRID)


def demonstrate():
    assert GRID.dtype == jnp.float64
    integrate(jnp.sin)
