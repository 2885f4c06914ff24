import jax.numpy as jnp


def ranking(scores):
    order = jnp.argsort(scores)
    ranks = jnp.zeros_like(order)
    ranks.at[order].set(jnp.arange(order.size))
    return ranks


# --- what it should do
assert ranking(jnp.array([0.3, 0.1, 0.2])).tolist() == [2, 0, 1]
