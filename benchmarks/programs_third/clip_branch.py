import jax
import jax.numpy as jnp


def shrink(g):
    return g / jnp.linalg.norm(g)


def keep(g):
    return g


@jax.jit
def clip(g):
    return jax.lax.cond(jnp.linalg.norm(g) > 1.0, shrink(g), keep(g))


# --- what it should do
assert abs(float(jnp.linalg.norm(clip(jnp.array([3.0, 4.0])))) - 1.0) < 1e-6
