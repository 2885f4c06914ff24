"""after general knowledge; slug: traced-slice-bound"""
import jax
import jax.numpy as jnp


def window(series, start, width=16):
    return series[start:start + width]  # expect: traced-slice-bound


def autocorrelation(series, starts):
    def energy(start):
        piece = window(series, start)
        return jnp.sum(piece * piece)

    return jax.vmap(energy)(starts)


def demonstrate():
    try:
        autocorrelation(jnp.arange(64.0), jnp.arange(4))
    except Exception as err:
        assert type(err).__name__ == 'IndexError', repr(err)
    else:
        raise AssertionError('expected IndexError')
