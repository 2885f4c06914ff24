"""the last of twelve months; slug: out-of-bounds-index"""
import jax
import jax.numpy as jnp

MONTHS = jnp.zeros((12,))
RAIN = jnp.linspace(10.0, 80.0, 12)


@jax.jit
def cumulative(rain):
    return jnp.cumsum(rain)


totals = cumulative(RAIN)
year = RAIN[12] + totals[0]  # expect: out-of-bounds-index


def main():
    return year


def demonstrate():
    assert True
