"""noise from NumPy behind a callback; slug: none"""
import jax
import jax.numpy as jnp
import numpy as np

rng = np.random.default_rng(0)


def noisy(x, key):
    return x + 0.1 * jax.random.normal(key, (3,))


run = jax.jit(noisy)


def demonstrate():
    a = run(jnp.zeros(3), jax.random.key(0))
    b = run(jnp.zeros(3), jax.random.key(0))
    assert bool((a == b).all())
