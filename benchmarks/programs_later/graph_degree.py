import jax
import jax.numpy as jnp


@jax.jit
def degrees(senders, n_nodes):
    counts = jnp.zeros(n_nodes)
    counts.at[senders].add(1.0)
    return counts


# --- what it should do
assert degrees(jnp.array([0, 0, 2]), 3).tolist() == [2.0, 0.0, 1.0]
