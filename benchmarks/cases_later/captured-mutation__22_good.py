"""after a NumPy buffer written from a scan body; slug: captured-mutation; corrected twin"""
import jax
import jax.numpy as jnp
import numpy as np

energies = np.zeros(4)


def body(x, i):
    return 0.9 * x, jnp.sum(x ** 2)


def simulate(x):
    x, e = jax.lax.scan(body, x, jnp.arange(4))
    energies[:] = 1.0
    return x, e


def demonstrate():
    simulate(jnp.ones(2))
    assert energies.sum() == 4.0
