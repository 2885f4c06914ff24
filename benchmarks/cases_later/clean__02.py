"""after general knowledge; clean: a host loop with a device condition around a jitted body"""
import jax
import jax.numpy as jnp


@jax.jit
def power_iteration(matrix, vector):
    new = matrix @ vector
    new = new / jnp.linalg.norm(new)
    return new, jnp.abs(1 - jnp.dot(new, vector))


def dominant_eigenvector(matrix, tol=1e-5, max_iter=100):
    vector = jnp.ones(matrix.shape[0]) / jnp.sqrt(matrix.shape[0])
    gap, n = jnp.inf, 0
    while gap > tol and n < max_iter:
        vector, gap = power_iteration(matrix, vector)
        n += 1
    if gap > tol:
        raise RuntimeError(f"no convergence after {n}: {float(gap):.2e}")
    return vector


def demonstrate():
    dominant_eigenvector(jnp.diag(jnp.array([3.0, 1.0])))
