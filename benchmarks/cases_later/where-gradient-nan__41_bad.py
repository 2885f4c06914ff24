"""a Lennard-Jones sum with the diagonal masked afterwards; slug: where-gradient-nan"""
import jax
import jax.numpy as jnp


def distances(positions):
    delta = positions[:, None, :] - positions[None, :, :]
    return jnp.sqrt(jnp.sum(delta**2, axis=-1))


def energy(positions):
    r = distances(positions)
    pair = jnp.where(r > 0, r**-12 - r**-6, 0.0)  # expect: where-gradient-nan
    return 0.5 * jnp.sum(pair)


def demonstrate():
    grads = jax.grad(energy)(jnp.arange(6.0).reshape(3, 2))
    assert bool(jnp.isnan(grads).any())
