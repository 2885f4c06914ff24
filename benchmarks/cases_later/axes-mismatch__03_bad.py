"""after general knowledge; slug: axes-mismatch"""
import functools

import jax
import jax.numpy as jnp


@functools.partial(jax.vmap, in_axes=(0, None, None))
def interpolate(x, grid, values):
    return jnp.interp(x, grid, values)


def resample(xs, table):
    return interpolate(xs, table)  # expect: axes-mismatch


def demonstrate():
    try:
        resample(jnp.ones(3), jnp.linspace(0, 1, 4))
    except Exception as err:
        assert type(err).__name__ == 'ValueError', repr(err)
    else:
        raise AssertionError('expected ValueError')
