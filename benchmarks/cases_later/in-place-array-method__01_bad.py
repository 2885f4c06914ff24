"""after general knowledge; slug: in-place-array-method"""
import jax.numpy as jnp
import numpy as np


def ranked_quantile(samples, weights, q):
    order = jnp.argsort(samples)
    cumulative = jnp.cumsum(weights[order])
    np.divide(cumulative, cumulative[-1], out=cumulative)  # expect: in-place-array-method
    return samples[order][jnp.searchsorted(cumulative, q)]


def demonstrate():
    try:
        ranked_quantile(jnp.array([3.0, 1.0, 2.0]), jnp.ones(3), 0.5)
    except Exception as err:
        assert type(err).__name__ == 'TypeError', repr(err)
    else:
        raise AssertionError('expected TypeError')
