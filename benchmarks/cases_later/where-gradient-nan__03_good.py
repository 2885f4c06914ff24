"""after general knowledge; slug: where-gradient-nan; corrected twin"""
import jax
import jax.numpy as jnp


def safe_norm(v):
    s = jnp.sum(v ** 2)
    return jnp.where(s == 0, 0.0, jnp.sqrt(jnp.where(s == 0, 1.0, s)))


def spring_energy(positions, rest):
    stretch = safe_norm(positions[0] - positions[1]) - rest
    return 0.5 * stretch ** 2


force = jax.grad(spring_energy)


def demonstrate():
    assert not bool(jnp.isnan(force(jnp.ones((2, 3)), 1.0)).any())
