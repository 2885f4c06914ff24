import jax
import jax.numpy as jnp


def score(query, key, scale):
    return jnp.dot(query, key) * scale


batched = jax.vmap(score, in_axes=(0, 0))

# --- what it should do
assert batched(jnp.ones((4, 3)), jnp.ones((4, 3)), 2.0).tolist() == [6.0] * 4
