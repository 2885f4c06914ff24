"""Soft-sphere molecular dynamics in a periodic box."""

from typing import NamedTuple

import jax
import jax.numpy as jnp


class System(NamedTuple):
    positions: jax.Array
    velocities: jax.Array


def minimum_image(displacement, box):
    return displacement - box * jnp.round(displacement / box)


def pair_distances(positions, box):
    delta = minimum_image(positions[:, None, :] - positions[None, :, :], box)
    squared = jnp.sum(delta**2, axis=-1)
    safe = jnp.where(squared > 0.0, squared, 1.0)
    return jnp.where(squared > 0.0, jnp.sqrt(safe), 0.0)


def potential_energy(positions, box, diameter):
    distance = pair_distances(positions, box)
    overlap = jax.nn.relu(diameter - distance)
    off_diagonal = 1.0 - jnp.eye(positions.shape[0])
    return 0.25 * jnp.sum(off_diagonal * overlap**2)


def make_integrator(box, diameter, dt):
    def force(positions):
        return -jax.grad(potential_energy)(positions, box, diameter)

    def step(system, _):
        velocities = system.velocities + dt * force(system.positions)
        positions = jnp.mod(system.positions + dt * velocities, box)
        return System(positions, velocities), jnp.sum(velocities**2)

    @jax.jit
    def run(system):
        return jax.lax.scan(step, system, None, length=50)

    return run


def main():
    box, diameter = 4.0, 1.0
    positions = jax.random.uniform(jax.random.key(2), (20, 2), maxval=box)
    start = System(positions, jnp.zeros_like(positions))
    print("energy at start:", potential_energy(positions, box, diameter))
    final, kinetic = make_integrator(box, diameter, dt=0.02)(start)
    print("kinetic energy:", kinetic[-1])
    assert jnp.isfinite(final.positions).all() and kinetic[-1] > 0.0


if __name__ == "__main__":
    main()
