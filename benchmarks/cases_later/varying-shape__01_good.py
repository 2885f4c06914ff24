"""after general knowledge; slug: varying-shape; corrected twin"""
import jax
import jax.numpy as jnp


@jax.jit
def next_logits(embedding, tokens, n_live):
    live = jnp.arange(tokens.shape[0]) < n_live
    hidden = jnp.mean(embedding[tokens], axis=0, where=live[:, None])
    return embedding @ hidden


def greedy_decode(embedding, prompt, n_new):
    tokens = jnp.zeros(len(prompt) + n_new, jnp.int32).at[:len(prompt)].set(jnp.asarray(prompt))
    for i in range(len(prompt), len(prompt) + n_new):
        logits = next_logits(embedding, tokens, i)
        tokens = tokens.at[i].set(jnp.argmax(logits))
    return tokens


def demonstrate():
    greedy_decode(jnp.eye(4), [0, 1], 3)
    assert next_logits._cache_size() == 1
