"""a Lennard-Jones sum with the diagonal masked afterwards; slug: none"""
import jax
import jax.numpy as jnp


def distances(positions):
    delta = positions[:, None, :] - positions[None, :, :]
    return jnp.sqrt(jnp.sum(delta**2, axis=-1))


def energy(positions):
    delta = positions[:, None, :] - positions[None, :, :]
    r2 = jnp.sum(delta**2, axis=-1)
    safe = jnp.where(r2 > 0, r2, 1.0)
    pair = jnp.where(r2 > 0, safe**-6 - safe**-3, 0.0)
    return 0.5 * jnp.sum(pair)


def demonstrate():
    grads = jax.grad(energy)(jnp.arange(6.0).reshape(3, 2))
    assert not bool(jnp.isnan(grads).any())
