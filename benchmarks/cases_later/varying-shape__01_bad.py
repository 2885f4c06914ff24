"""after general knowledge; slug: varying-shape"""
import jax
import jax.numpy as jnp


@jax.jit
def next_logits(embedding, tokens):
    hidden = jnp.mean(embedding[tokens], axis=0)
    return embedding @ hidden


def greedy_decode(embedding, prompt, n_new):
    tokens = jnp.asarray(prompt)
    for _ in range(n_new):
        logits = next_logits(embedding, tokens)  # expect: varying-shape
        tokens = jnp.append(tokens, jnp.argmax(logits))
    return tokens


def demonstrate():
    greedy_decode(jnp.eye(4), [0, 1], 3)
    assert next_logits._cache_size() == 3
