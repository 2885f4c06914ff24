"""Rotary position embeddings for an attention layer, prefill and decode."""

import jax
import jax.numpy as jnp


class Rotary:
    def __init__(self, dim, base=10_000.0):
        self.dim = dim
        self.base = base

    @property
    def frequencies(self):
        exponents = jnp.arange(0, self.dim, 2) / self.dim
        return self.base**-exponents

    def __call__(self, x, positions):
        angles = positions[:, None] * self.frequencies
        cos, sin = jnp.cos(angles), jnp.sin(angles)
        even, odd = x[..., 0::2], x[..., 1::2]
        rotated = jnp.stack([even * cos - odd * sin, even * sin + odd * cos], axis=-1)
        return rotated.reshape(x.shape)


class Attention:
    def __init__(self, dim):
        self.rotary = Rotary(dim)
        self.scale = dim**-0.5

    def scores(self, queries, keys, offset):
        query_positions = offset + jnp.arange(queries.shape[0])
        key_positions = jnp.arange(keys.shape[0])
        queries = self.rotary(queries, query_positions)
        keys = self.rotary(keys, key_positions)
        causal = key_positions[None, :] <= query_positions[:, None]
        return jnp.where(causal, queries @ keys.T * self.scale, -jnp.inf)


def make_model(dim):
    attention = Attention(dim)

    @jax.jit
    def attend(queries, keys, values, offset):
        scores = attention.scores(queries, keys, offset)
        return jax.nn.softmax(scores, axis=-1) @ values

    return attend


def main():
    query_key, key_key, value_key = jax.random.split(jax.random.key(23), 3)
    queries = jax.random.normal(query_key, (6, 8))
    keys = jax.random.normal(key_key, (6, 8))
    values = jax.random.normal(value_key, (6, 8))
    attend = make_model(8)
    prefill = attend(queries, keys, values, 0)
    decode = attend(queries[-1:], keys, values, 5)
    assert jnp.allclose(prefill[-1], decode[0], atol=1e-5)
    print("last row:", decode[0])


if __name__ == "__main__":
    main()
