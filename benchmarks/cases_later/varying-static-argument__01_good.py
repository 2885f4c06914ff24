"""after general knowledge; slug: varying-static-argument; corrected twin"""
import jax
import jax.numpy as jnp


@jax.jit
def sample_tokens(key, logits, temperature):
    return jax.random.categorical(key, logits / temperature)


def generate(key, logits, n):
    temperature = 1.0
    tokens = []
    for i in range(n):
        temperature *= 0.95
        tokens.append(sample_tokens(jax.random.fold_in(key, i), logits, temperature=temperature))
    return jnp.stack(tokens)


def demonstrate():
    generate(jax.random.key(0), jnp.ones(4), 5)
    assert sample_tokens._cache_size() == 1
