"""after a sampler object that never advances its key; slug: key-reuse; corrected twin"""
import jax
import jax.numpy as jnp


class NoiseSource:
    """Draws the disturbances of a simulated sensor."""

    def __init__(self, seed):
        self.key = jax.random.key(seed)

    def bias(self, n):
        self.key, sub = jax.random.split(self.key)
        return jax.random.normal(sub, (n,))

    def drift(self, n):
        self.key, sub = jax.random.split(self.key)
        return jax.random.normal(sub, (n,))


def readings(truth, seed=0):
    source = NoiseSource(seed)
    bias = source.bias(truth.shape[0])
    drift = source.drift(truth.shape[0])
    return truth + 0.1 * bias + 0.01 * jnp.cumsum(drift), bias, drift


def demonstrate():
    _, a, b = readings(jnp.zeros(5))
    assert not jnp.array_equal(a, b)
