import jax
import jax.numpy as jnp


def sweep(key, spins, beta):
    n = spins.shape[0]
    for i in range(n):
        field = spins[(i - 1) % n] + spins[(i + 1) % n]
        accept = jax.random.uniform(key) < jnp.exp(-2.0 * beta * spins[i] * field)
        spins[i] = jnp.where(accept, -spins[i], spins[i])
    return spins


# --- what it should do
s = sweep(jax.random.key(0), jnp.ones(8), 0.0)
assert bool((jnp.abs(s) == 1).all())
