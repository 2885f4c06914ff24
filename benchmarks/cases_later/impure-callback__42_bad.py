"""noise from NumPy behind a callback; slug: impure-callback"""
import jax
import jax.numpy as jnp
import numpy as np

rng = np.random.default_rng(0)


def sample_noise(scale):
    return (scale * rng.normal(size=3)).astype(np.float32)


def noisy(x, key):
    noise = jax.pure_callback(sample_noise, jax.ShapeDtypeStruct((3,), jnp.float32), jnp.float32(0.1))  # expect: impure-callback
    return x + noise


run = jax.jit(noisy)


def demonstrate():
    a = run(jnp.zeros(3), jax.random.key(0))
    b = run(jnp.zeros(3), jax.random.key(0))
    assert not bool((a == b).all())
