"""after replay buffer samples indices and noise with one key kept in a NamedTuple; slug: key-reuse"""
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
    rows = jax.random.uniform(buffer.rng, (4,)) * buffer.data.shape[0]
    noise = 0.01 * jax.random.uniform(buffer.rng, (4, 1))  # expect: key-reuse
    batch = buffer.data[rows.astype(int)] + noise
    return batch, rows / buffer.data.shape[0], noise


def demonstrate():
    _, rows, noise = sample(make(8, 0))
    assert jnp.allclose(rows, 100 * noise[:, 0], rtol=1e-3)
