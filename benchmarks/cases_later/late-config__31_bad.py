"""after x64 switched on in main after constants were made; slug: late-config"""

import jax
import jax.numpy as jnp


def make_grid(n):
    return jnp.linspace(0.0, 1.0, n)


def main():
    grid = make_grid(11)
    weights = jnp.full(11, 0.1)
    jax.config.update("jax_enable_x64", True)  # expect: late-config
    return jnp.sum(grid * weights)


def demonstrate():
    assert main().dtype == jnp.float32
