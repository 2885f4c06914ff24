"""after general knowledge; slug: numpy-on-tracer"""
import jax
import jax.numpy as jnp
import numpy as np


def design_matrix(t, freqs):
    columns = [np.ones_like(t)]  # expect: numpy-on-tracer
    for f in freqs:
        columns.append(jnp.sin(2 * jnp.pi * f * t))
        columns.append(jnp.cos(2 * jnp.pi * f * t))
    return jnp.stack(columns, axis=-1)


def chi2(coeffs, t, y, freqs):
    return jnp.sum((design_matrix(t, freqs) @ coeffs - y) ** 2)


def timing_gradient(coeffs, t, y):
    return jax.jit(jax.grad(chi2, argnums=1), static_argnums=3)(coeffs, t, y, (0.5, 1.5))


def demonstrate():
    try:
        timing_gradient(jnp.ones(5), jnp.linspace(0, 1, 7), jnp.zeros(7))
    except Exception as err:
        assert type(err).__name__ == 'TracerArrayConversionError', repr(err)
    else:
        raise AssertionError('expected TracerArrayConversionError')
