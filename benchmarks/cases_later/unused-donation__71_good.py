"""Running mean and covariance over a stream of batches, for whitening."""

import warnings
from typing import NamedTuple

import jax
import jax.numpy as jnp


class Moments(NamedTuple):
    count: jax.Array
    mean: jax.Array
    scatter: jax.Array


def merge(moments, batch):
    """Chan's parallel update."""
    size = batch.shape[0]
    total = moments.count + size
    delta = batch.mean(axis=0) - moments.mean
    centred = batch - batch.mean(axis=0)
    weight = moments.count * size / total
    scatter = moments.scatter + centred.T @ centred + weight * jnp.outer(delta, delta)
    return Moments(total, moments.mean + delta * size / total, scatter)


class Whitener:
    def __init__(self, dim):
        self.moments = Moments(jnp.zeros(()), jnp.zeros(dim), jnp.zeros((dim, dim)))
        self._merge = jax.jit(merge, donate_argnames=("moments",))

    def update(self, batch):
        self.moments = self._merge(self.moments, batch)

    def transform(self, x):
        covariance = self.moments.scatter / (self.moments.count - 1.0)
        values, vectors = jnp.linalg.eigh(covariance)
        return (x - self.moments.mean) @ (vectors / jnp.sqrt(values))


def stream(key, batches, size, dim):
    mix = jnp.eye(dim) + 0.3
    for i in range(batches):
        yield 2.0 + jax.random.normal(jax.random.fold_in(key, i), (size, dim)) @ mix


def main():
    stream_key, test_key = jax.random.split(jax.random.key(29))
    whitener = Whitener(3)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for batch in stream(stream_key, batches=20, size=256, dim=3):
            whitener.update(batch)
    x = jnp.concatenate(list(stream(test_key, batches=4, size=256, dim=3)))
    covariance = jnp.cov(whitener.transform(x).T)
    messages = [str(w.message) for w in caught if "donated" in str(w.message)]
    print("covariance:", jnp.diag(covariance), "warnings:", messages[:1])
    assert jnp.allclose(covariance, jnp.eye(3), atol=0.25)
    assert len(messages) == 0


if __name__ == "__main__":
    main()
