"""Overdamped particles in a harmonic trap: a fine run, then one coarse equilibration."""

from typing import NamedTuple

import jax
import jax.numpy as jnp


class Cloud(NamedTuple):
    positions: jax.Array
    time: jax.Array


def trap_force(positions, stiffness=1.0):
    return -stiffness * positions


def repulsion(positions, strength=0.05):
    gap = positions[:, None] - positions[None, :]
    return strength * jnp.sum(gap * jnp.exp(-(gap**2)), axis=1)


@jax.jit
def advance(cloud: Cloud, horizon):
    dt = horizon / 100

    def substep(_, positions):
        return positions + dt * (trap_force(positions) + repulsion(positions))

    positions = jax.lax.fori_loop(0, 100, substep, cloud.positions)
    return Cloud(positions, cloud.time + horizon)


class Experiment:
    def __init__(self, count: int, seed: int):
        start = jax.random.normal(jax.random.key(seed), (count,))
        self.cloud = Cloud(start, jnp.zeros(()))

    def observe(self):
        self.cloud = advance(self.cloud, 0.25)
        return self.cloud.positions.std()

    def equilibrate(self):
        self.cloud = advance(self.cloud, 2)  # expect: weak-type-recompile
        return self.cloud.positions.std()


def main():
    experiment = Experiment(count=20, seed=9)
    early = experiment.observe()
    late = experiment.equilibrate()
    print("width", early, "->", late)


if __name__ == "__main__":
    main()


def demonstrate():
    experiment = Experiment(count=5, seed=9)
    advance.clear_cache()
    experiment.observe()
    experiment.equilibrate()
    assert advance._cache_size() == 2
