"""greedy decoding that concatenates the new token; slug: none"""
import jax
import jax.numpy as jnp

TABLE = jax.random.normal(jax.random.key(1), (11, 11))


@jax.jit
def next_token(tokens):
    return jnp.argmax(TABLE[tokens[-1]] + tokens.sum())


@jax.jit
def next_token_padded(tokens, n):
    return jnp.argmax(TABLE[tokens[n - 1]] + tokens.sum())


def generate(prompt, steps):
    tokens = jnp.zeros(len(prompt) + steps, prompt.dtype).at[: len(prompt)].set(prompt)
    for i in range(steps):
        token = next_token_padded(tokens, len(prompt) + i)
        tokens = tokens.at[len(prompt) + i].set(token)
    return tokens


def demonstrate():
    generate(jnp.array([1, 2]), 5)
    assert next_token_padded._cache_size() == 1
