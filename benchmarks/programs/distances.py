import jax
import jax.numpy as jnp
import numpy as np


@jax.vmap
def pairwise(p):
    return np.linalg.norm(p) + np.maximum(p, 0.0).sum()


# --- what it should do
assert pairwise(jnp.array([[3.0, 4.0]])).tolist() == [12.0]
