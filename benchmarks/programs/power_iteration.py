import jax
import jax.numpy as jnp


@jax.jit
def power_iteration(A, v, n_iter):
    for _ in range(n_iter):
        v = A @ v
        v = v / jnp.linalg.norm(v)
    return v


# --- what it should do
assert jnp.allclose(power_iteration(jnp.diag(jnp.array([2.0, 1.0])), jnp.ones(2), 50), jnp.array([1.0, 0.0]), atol=1e-4)
