"""after general knowledge; slug: where-gradient-nan"""
import jax
import jax.numpy as jnp


def safe_norm(v):
    n = jnp.sqrt(jnp.sum(v ** 2))
    return jnp.where(n < 1e-8, 0.0, n)  # expect: where-gradient-nan


def spring_energy(positions, rest):
    stretch = safe_norm(positions[0] - positions[1]) - rest
    return 0.5 * stretch ** 2


force = jax.grad(spring_energy)


def demonstrate():
    assert bool(jnp.isnan(force(jnp.ones((2, 3)), 1.0)).any())
