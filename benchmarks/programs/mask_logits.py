import jax
import jax.numpy as jnp


def mask_logits(logits, allowed):
    logits.at[jnp.logical_not(allowed)].set(-1e9)
    return jax.nn.softmax(logits)


# --- what it should do
assert mask_logits(jnp.zeros(3), jnp.array([True, False, True])).tolist() == [0.5, 0.0, 0.5]
