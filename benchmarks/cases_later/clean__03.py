"""after general knowledge; clean: NumPy arrays are mutated on the host, then handed to JAX"""
import jax
import jax.numpy as jnp
import numpy as np


def pad_batch(sequences, length):
    tokens = np.zeros((len(sequences), length), np.int32)
    for row, seq in enumerate(sequences):
        tokens[row, :len(seq)] = seq
        tokens[row] += 1
    tokens.sort(axis=0)
    return tokens


@jax.jit
def embed(table, tokens):
    return table[tokens].mean(1)


def encode(table, sequences):
    batch = pad_batch(sequences, 4)
    batch[0, 0] = 0
    return embed(table, jnp.asarray(batch))


def demonstrate():
    encode(jnp.ones((6, 2)), [[1, 2], [3]])
