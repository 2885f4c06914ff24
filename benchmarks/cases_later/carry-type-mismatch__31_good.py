"""after an accumulator that starts as an integer; slug: carry-type-mismatch"""

import jax
import jax.numpy as jnp


def weighted(carry, item):
    total, norm = carry
    value, weight = item
    return (total + weight * value, norm + weight), None


def average(values, weights):
    init = (jnp.float32(0), jnp.float32(0))
    (total, norm), _ = jax.lax.scan(weighted, init, (values, weights))
    return total / norm


def main():
    return average(jnp.arange(4.0), jnp.ones(4))


def demonstrate():
    assert float(main()) == 1.5
