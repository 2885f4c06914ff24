"""after general knowledge; slug: tracer-as-key"""
import functools

import jax
import jax.numpy as jnp


@functools.lru_cache(maxsize=128)
def window(width):
    return jnp.hanning(8) * width


@jax.jit
def taper(signal, width):
    return signal * window(width)  # expect: tracer-as-key


def demonstrate():
    try:
        taper(jnp.ones(8), 2.0)
    except Exception as err:
        assert type(err).__name__ == 'TypeError', repr(err)
    else:
        raise AssertionError('expected TypeError')
