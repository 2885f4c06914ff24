"""after dropout mask from a NumPy generator object in a scan body; slug: host-rng-in-traced-code; corrected twin"""
import jax
import jax.numpy as jnp
import numpy as np

rng = np.random.default_rng(0)


def cell(h, x):
    x, key = x
    mask = jax.random.uniform(key, h.shape) > 0.5
    h = jnp.where(mask, jnp.tanh(h + x), h)
    return h, mask


@jax.jit
def encode(xs, key):
    return jax.lax.scan(cell, jnp.zeros(xs.shape[1]), (xs, jax.random.split(key, xs.shape[0])))


def demonstrate():
    _, masks = encode(jnp.ones((4, 64)), jax.random.key(0))
    assert not jnp.array_equal(masks[0], masks[3])
