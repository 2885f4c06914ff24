"""after random crop with NumPy inside the compiled step; slug: host-rng-in-traced-code; corrected twin"""
import jax
import jax.numpy as jnp
import numpy as np


def crop(key, image, size):
    top = jax.random.randint(key, (), 0, image.shape[0] - size + 1)
    return jax.lax.dynamic_slice(image, (top, top, 0), (size, size, image.shape[2]))


@jax.jit
def features(image, key):
    view = crop(key, image, 4)
    return view.mean(axis=(0, 1)), view[0, 0, 0]


def views(image, count, seed=0):
    keys = jax.random.split(jax.random.key(seed), count)
    return [features(image, key)[1] for key in keys]


def demonstrate():
    out = {float(v) for v in views(jnp.arange(64 * 64 * 1.0).reshape(64, 64, 1), 6)}
    assert len(out) > 1
