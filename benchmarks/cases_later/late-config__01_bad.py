"""after general knowledge; slug: late-config"""
import jax
import jax.numpy as jnp

GRID = jnp.linspace(0.0, 1.0, 5)

jax.config.update("jax_enable_x64", True)  # expect: late-config


def integrate(f):
    return jnp.trapezoid(f(GRID), GRID)


def demonstrate():
    assert GRID.dtype == jnp.float32
    integrate(jnp.sin)
