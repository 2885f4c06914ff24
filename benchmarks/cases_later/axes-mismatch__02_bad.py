"""after general knowledge; slug: axes-mismatch"""
import jax
import jax.numpy as jnp


def interpolate(x, grid, values):
    return jnp.interp(x, grid, values)


def resample(signals, grid, n=8):
    """signals: one per column."""
    new_grid = jnp.linspace(0.0, 1.0, n)
    columns = jax.vmap(interpolate, in_axes={"x": None, "values": 1})  # expect: axes-mismatch
    return columns(new_grid, grid, signals)


def demonstrate():
    try:
        resample(jnp.ones((5, 2)), jnp.linspace(0, 1, 5))
    except Exception as err:
        assert type(err).__name__ == 'TypeError', repr(err)
    else:
        raise AssertionError('expected TypeError')
