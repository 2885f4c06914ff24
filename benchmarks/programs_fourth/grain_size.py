import jax
import jax.numpy as jnp


@jax.jit
def mean_size(sizes, smallest):
    kept = sizes[sizes >= smallest]
    return kept.sum() / kept.size


@jax.jit
def coarse_share(sizes, smallest):
    kept = sizes[sizes >= smallest]
    return jnp.sum(kept) / jnp.sum(sizes)


# --- what it should do
sizes = jnp.array([1.0, 2.0, 3.0])
assert abs(float(mean_size(sizes, 2.0)) - 2.5) < 1e-6
assert abs(float(coarse_share(sizes, 2.0)) - 5 / 6) < 1e-6
