"""greedy decoding that concatenates the new token; slug: varying-shape"""
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
    tokens = prompt
    for _ in range(steps):
        token = next_token(tokens)  # expect: varying-shape
        tokens = jnp.concatenate([tokens, token[None]])
    return tokens


def demonstrate():
    generate(jnp.array([1, 2]), 5)
    assert next_token._cache_size() == 5
