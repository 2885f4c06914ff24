"""Toy data, in batches."""
import jax
import jax.numpy as jnp


def moons(key, count):
    angle, noise = jax.random.split(key)
    a = jax.random.uniform(angle, (count,), maxval=jnp.pi)
    return jnp.stack([jnp.cos(a), jnp.sin(a)], -1) + 0.1 * jax.random.normal(noise, (count, 2))


class Epochs:
    """The batches of several epochs, each in another order."""

    def __init__(self, data, batch, key):
        self.data, self.batch, self.key = data, batch, key

    def order(self):
        return jax.random.permutation(self.key, len(self.data))

    def batches(self, epochs):
        for _ in range(epochs):
            order = self.order()  # expect: key-reuse-in-loop
            for start in range(0, len(self.data) - self.batch + 1, self.batch):
                yield self.data[order[start : start + self.batch]]


class FreshEpochs(Epochs):
    def order(self):
        self.key, sub = jax.random.split(self.key)
        return jax.random.permutation(sub, len(self.data))
