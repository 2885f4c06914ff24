"""after general knowledge; slug: numpy-on-tracer"""
import haiku as hk
import jax
import jax.numpy as jnp
import numpy as onp

CODEBOOK = onp.linspace(-1.0, 1.0, 16, dtype=onp.float32)


def quantise(x):
    distance = jnp.abs(x[..., None] - CODEBOOK)
    return CODEBOOK[jnp.argmin(distance, axis=-1)]  # expect: numpy-on-tracer


def encoder(x):
    h = hk.Linear(4)(x)
    return quantise(jnp.tanh(h))


net = hk.without_apply_rng(hk.transform(encoder))


def encode(x):
    params = net.init(jax.random.key(1), x)
    return jax.jit(net.apply)(params, x)


def demonstrate():
    try:
        encode(jnp.ones((2, 3)))
    except Exception as err:
        assert type(err).__name__ == 'TracerArrayConversionError', repr(err)
    else:
        raise AssertionError('expected TracerArrayConversionError')
