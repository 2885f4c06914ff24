import jax.numpy as jnp


def top_scores(scores, k):
    ordered = jnp.array(scores)
    ordered.sort()
    return ordered[-k:]


# --- what it should do
assert top_scores([3.0, 1.0, 2.0], 2).tolist() == [2.0, 3.0]
