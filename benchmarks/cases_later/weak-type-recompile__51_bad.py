"""a decorated step first called with a number of Python; slug: weak-type-recompile"""
import functools

import jax
import jax.numpy as jnp


def logged(function):
    @functools.wraps(function)
    def wrapper(*args):
        return function(*args)

    return wrapper


@jax.jit
def relax(field, rate):
    return field + rate * (jnp.roll(field, 1) - 2 * field + jnp.roll(field, -1))


def simulate(field):
    field = relax(field, 0.1)
    for rate in jnp.linspace(0.1, 0.2, 5):
        field = relax(field, rate)  # expect: weak-type-recompile
    return field


def main():
    return simulate(jnp.arange(8.0))


def demonstrate():
    main()
    assert relax._cache_size() >= 2, relax._cache_size()
