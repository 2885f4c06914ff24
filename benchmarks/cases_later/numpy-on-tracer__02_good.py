"""after general knowledge; slug: numpy-on-tracer; corrected twin"""
import haiku as hk
import jax
import jax.numpy as jnp
import numpy as onp

CODEBOOK = onp.linspace(-1.0, 1.0, 16, dtype=onp.float32)


def quantise(x):
    distance = jnp.abs(x[..., None] - CODEBOOK)
    return jnp.asarray(CODEBOOK)[jnp.argmin(distance, axis=-1)]


def encoder(x):
    h = hk.Linear(4)(x)
    return quantise(jnp.tanh(h))


net = hk.without_apply_rng(hk.transform(encoder))


def encode(x):
    params = net.init(jax.random.key(1), x)
    return jax.jit(net.apply)(params, x)


def demonstrate():
    assert encode(jnp.ones((2, 3))).shape == (2, 4)
