"""after the loop takes the subkey and forgets the new key; slug: discarded-key-update; corrected twin"""
import jax
import jax.numpy as jnp


def sample_token(logits, rng):
    rng, sub = jax.random.split(rng)
    return jax.random.categorical(sub, logits), rng


def generate(logits_fn, prompt, rng, length):
    tokens = list(prompt)
    for _ in range(length):
        logits = logits_fn(jnp.asarray(tokens))
        token, rng = sample_token(logits, rng)
        tokens.append(token)
    return jnp.stack(tokens[len(prompt):])


def demonstrate():
    out = generate(lambda t: jnp.zeros(1000), [1, 2], jax.random.key(0), 4)
    assert len(set(out.tolist())) > 1
