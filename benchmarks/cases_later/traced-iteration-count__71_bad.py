"""Sampling from a small recurrent language model."""

import jax
import jax.numpy as jnp


def init_params(key, vocab, dim):
    embed_key, cell_key, out_key = jax.random.split(key, 3)
    return {
        "embed": jax.random.normal(embed_key, (vocab, dim)),
        "cell": jax.random.normal(cell_key, (2 * dim, dim)) / dim**0.5,
        "out": jax.random.normal(out_key, (dim, vocab)) / dim**0.5,
    }


def cell(params, hidden, token):
    joined = jnp.concatenate([hidden, params["embed"][token]])
    hidden = jnp.tanh(joined @ params["cell"])
    return hidden, hidden @ params["out"]


def continue_text(params, hidden, tokens, start, max_new_tokens, key):
    """Fill the token buffer from a start position."""
    for i in range(max_new_tokens):  # expect: traced-iteration-count
        hidden, logits = cell(params, hidden, tokens[start + i - 1])
        token = jax.random.categorical(jax.random.fold_in(key, i), logits)
        tokens = tokens.at[start + i].set(token)
    return tokens


@jax.jit
def generate(params, tokens, start, max_new_tokens, key):
    hidden = jnp.zeros(params["cell"].shape[1])
    return continue_text(params, hidden, tokens, start, max_new_tokens, key)


class Sampler:
    def __init__(self, params, buffer_size=32, pad=-1):
        self.params = params
        self.buffer_size = buffer_size
        self.pad = pad

    def __call__(self, key, prompt, max_new_tokens):
        padding = jnp.full(self.buffer_size - len(prompt), self.pad)
        tokens = jnp.concatenate([jnp.asarray(prompt), padding])
        return generate(self.params, tokens, len(prompt), max_new_tokens, key)


def main():
    init_key, sample_key = jax.random.split(jax.random.key(14))
    sampler = Sampler(init_params(init_key, vocab=12, dim=8))
    tokens = sampler(sample_key, [4, 7, 1], max_new_tokens=10)
    assert int((tokens >= 0).sum()) == 13
    print("tokens:", tokens)


if __name__ == "__main__":
    main()
