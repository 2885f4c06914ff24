"""sequences padded to the longest of each batch; slug: varying-shape"""
import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def encode(tokens):
    return jnp.cumsum(tokens, axis=-1).mean()


def pad_to(rows, length):
    out = np.zeros((len(rows), length), np.int32)
    for i, row in enumerate(rows):
        out[i, : len(row)] = row
    return out


def evaluate(corpus, limit):
    total = 0.0
    for n in range(1, limit):
        total += encode(pad_to(corpus, limit)[:, :n])  # expect: varying-shape
    return total


def demonstrate():
    evaluate([[1, 2], [3]], 9)
    assert encode._cache_size() == 8
