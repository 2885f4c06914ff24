"""after general knowledge; slug: where-gradient-nan; corrected twin"""
import jax
import jax.numpy as jnp


def pair_energy(displacement, charge):
    r2 = jnp.sum(displacement ** 2, axis=-1)
    safe = jnp.where(r2 > 0, r2, 1.0)
    inverse = jnp.where(r2 > 0, 1.0 / jnp.sqrt(safe), 0.0)
    return 0.5 * jnp.sum(charge[:, None] * charge[None, :] * inverse)


def coulomb(positions, charge):
    return pair_energy(positions[:, None] - positions[None, :], charge)


forces = jax.jit(jax.grad(lambda x, q: -coulomb(x, q)))


def demonstrate():
    assert not bool(jnp.isnan(forces(jnp.eye(3), jnp.ones(3))).any())
