"""after general knowledge; slug: traced-branch"""
import jax
import jax.numpy as jnp


def check_bounds(x, low, high):
    assert (x >= low).all() and (x <= high).all(), "out of range"  # expect: traced-branch
    return x


def normalised(x, low=0.0, high=1.0):
    return (check_bounds(x, low, high) - low) / (high - low)


per_pixel = jax.vmap(jax.vmap(normalised))


def demonstrate():
    try:
        per_pixel(jnp.ones((2, 2)))
    except Exception as err:
        assert type(err).__name__ == 'TracerBoolConversionError', repr(err)
    else:
        raise AssertionError('expected TracerBoolConversionError')
