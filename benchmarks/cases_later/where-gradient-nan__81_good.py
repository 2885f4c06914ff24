"""Molecular dynamics of soft spheres: velocity Verlet, forces by differentiation."""
from functools import partial

import jax
import jax.numpy as jnp


def displacements(positions):
    return positions[:, None, :] - positions[None, :, :]


def pair_energy(positions, diameter):
    others = ~jnp.eye(positions.shape[0], dtype=bool)
    squared = jnp.sum(displacements(positions) ** 2, axis=-1)
    r = jnp.sqrt(jnp.where(others, squared, 1.0))
    overlap = jnp.maximum(diameter - r, 0.0)
    energies = jnp.where(others, 0.5 * overlap**2, 0.0)
    return 0.5 * jnp.sum(energies)


def forces(positions, diameter):
    return -jax.grad(pair_energy)(positions, diameter)


@partial(jax.jit, static_argnames=("steps",))
def simulate(positions, velocities, diameter, dt, steps):
    def verlet(carry, _):
        x, v, f = carry
        v_half = v + 0.5 * dt * f
        x = x + dt * v_half
        f = forces(x, diameter)
        return (x, v_half + 0.5 * dt * f, f), pair_energy(x, diameter)

    start = (positions, velocities, forces(positions, diameter))
    (x, v, _), energies = jax.lax.scan(verlet, start, None, length=steps)
    return x, v, energies


def main():
    positions = jax.random.uniform(jax.random.key(2), (12, 3), maxval=2.0)
    x, _, energies = simulate(positions, jnp.zeros((12, 3)), 1.0, 0.01, steps=20)
    print("energies", energies[0], energies[-1])
    assert bool(jnp.all(jnp.isfinite(x)))


if __name__ == "__main__":
    main()
