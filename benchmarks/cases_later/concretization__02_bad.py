"""after general knowledge; slug: concretization"""
import math

import jax
import jax.numpy as jnp


def elevation_angle(ray):
    x, y, z = ray
    return math.atan2(z, math.hypot(x, y))  # expect: concretization


def mean_elevation(rays):
    return jnp.mean(jax.vmap(elevation_angle)(rays))


def demonstrate():
    try:
        mean_elevation(jnp.ones((5, 3)))
    except Exception as err:
        assert type(err).__name__ == 'ConcretizationTypeError', repr(err)
    else:
        raise AssertionError('expected ConcretizationTypeError')
