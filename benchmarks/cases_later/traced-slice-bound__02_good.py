"""after general knowledge; slug: traced-slice-bound; corrected twin"""
import jax
import jax.numpy as jnp


@jax.jit
def causal_context(keys, position):
    return jnp.mean(keys, axis=0, where=(jnp.arange(keys.shape[0]) <= position)[:, None])


def decode(keys):
    return [causal_context(keys, i) for i in range(3)]


def demonstrate():
    decode(jnp.ones((4, 2)))
