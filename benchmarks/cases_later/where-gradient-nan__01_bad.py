"""after general knowledge; slug: where-gradient-nan"""
import jax
import jax.numpy as jnp


def pair_energy(displacement, charge):
    r2 = jnp.sum(displacement ** 2, axis=-1)
    inverse = jnp.where(r2 > 0, 1.0 / jnp.sqrt(r2), 0.0)  # expect: where-gradient-nan
    return 0.5 * jnp.sum(charge[:, None] * charge[None, :] * inverse)


def coulomb(positions, charge):
    return pair_energy(positions[:, None] - positions[None, :], charge)


forces = jax.jit(jax.grad(lambda x, q: -coulomb(x, q)))


def demonstrate():
    assert bool(jnp.isnan(forces(jnp.eye(3), jnp.ones(3))).any())
