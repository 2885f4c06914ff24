import jax
import jax.numpy as jnp


@jax.jit
def clip_by_norm(g, max_norm):
    norm = jnp.linalg.norm(g)
    if norm > max_norm:
        g = g * (max_norm / norm)
        clipped = True
    else:
        clipped = False
    return g, clipped


# --- what it should do
g, clipped = clip_by_norm(jnp.array([3.0, 4.0]), 1.0)
assert bool(clipped) and jnp.allclose(g, jnp.array([0.6, 0.8]))
