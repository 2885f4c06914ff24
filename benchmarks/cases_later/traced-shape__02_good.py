"""after general knowledge; slug: traced-shape; corrected twin"""
import jax
import jax.numpy as jnp


def positional_code(length, dim):
    position = jnp.arange(length)[:, None]
    rate = jnp.exp(-jnp.arange(0, dim, 2) * (jnp.log(1e4) / dim))
    return jnp.concatenate([jnp.sin(position * rate), jnp.cos(position * rate)], axis=-1)


class Embedder:
    def __init__(self, table):
        self.table = table

    def embed(self, tokens, length):
        return self.table[tokens] + positional_code(length, self.table.shape[1])


def encode(table, tokens, length):
    embedder = Embedder(table)
    return embedder.embed(tokens, length)


def demonstrate():
    encode(jnp.ones((10, 4)), jnp.array([1, 2, 3]), 3)
