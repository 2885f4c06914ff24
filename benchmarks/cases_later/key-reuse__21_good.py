"""after replay buffer samples indices and noise with one key kept in a NamedTuple; slug: key-reuse; corrected twin"""
from typing import NamedTuple

import jax
import jax.numpy as jnp


class Buffer(NamedTuple):
    data: jax.Array
    rng: jax.Array


def make(capacity, seed):
    return Buffer(jnp.arange(capacity * 2.0).reshape(capacity, 2), jax.random.key(seed))


@jax.jit
def sample(buffer):
    rng, row_key, noise_key = jax.random.split(buffer.rng, 3)
    rows = jax.random.uniform(row_key, (4,)) * buffer.data.shape[0]
    noise = 0.01 * jax.random.uniform(noise_key, (4, 1))
    batch = buffer.data[rows.astype(int)] + noise
    return batch, rows / buffer.data.shape[0], noise, rng


def demonstrate():
    _, rows, noise, _ = sample(make(8, 0))
    assert not jnp.allclose(rows, 100 * noise[:, 0], rtol=1e-3)
