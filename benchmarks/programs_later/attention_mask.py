import jax
import jax.numpy as jnp


@jax.jit
def masked_scores(scores, causal):
    n = int(jnp.prod(jnp.array(scores.shape)))
    flat = scores.reshape(n)
    if causal.any():
        flat = flat - 1.0
    return flat


# --- what it should do
assert masked_scores(jnp.ones((2, 2)), jnp.array([True])).tolist() == [0.0] * 4
