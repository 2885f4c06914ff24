"""after dropout mask from a NumPy generator object in a scan body; slug: host-rng-in-traced-code"""
import jax
import jax.numpy as jnp
import numpy as np

rng = np.random.default_rng(0)


def cell(h, x):
    mask = rng.random(h.shape) > 0.5  # expect: host-rng-in-traced-code
    h = jnp.where(mask, jnp.tanh(h + x), h)
    return h, mask


@jax.jit
def encode(xs):
    return jax.lax.scan(cell, jnp.zeros(xs.shape[1]), xs)


def demonstrate():
    _, masks = encode(jnp.ones((4, 64)))
    assert jnp.array_equal(masks[0], masks[3])
