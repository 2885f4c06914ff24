"""Relaxation of soft particles with a repulsive pair energy."""

from functools import partial

import jax
import jax.numpy as jnp


def displacements(positions, box):
    gap = positions[:, None, :] - positions[None, :, :]
    return gap - box * jnp.round(gap / box)


def distances(positions, box):
    squared = jnp.sum(displacements(positions, box) ** 2, axis=-1)
    apart = squared > 0.0
    return jnp.where(apart, jnp.sqrt(jnp.where(apart, squared, 1.0)), 0.0)


def overlap_energy(positions, box, diameter):
    reach = jnp.maximum(diameter - distances(positions, box), 0.0)
    pairs = jnp.triu(0.5 * reach**2, k=1)
    return pairs.sum()


class Relaxer:
    def __init__(self, box=4.0, diameter=1.0, rate=0.1):
        self.box = box
        self.energy = partial(overlap_energy, box=box, diameter=diameter)
        self.rate = rate

    def descend(self, positions, _):
        energy, slope = jax.value_and_grad(self.energy)(positions)
        return (positions - self.rate * slope) % self.box, energy

    def relax(self, positions, steps):
        return jax.lax.scan(self.descend, positions, length=steps)


def main(steps=100):
    positions = jax.random.uniform(jax.random.key(15), (12, 2), maxval=4.0)
    relaxed, energies = Relaxer().relax(positions, steps)
    return relaxed, energies


if __name__ == "__main__":
    print("energies", main()[1][-5:])


def demonstrate():
    relaxed, energies = main(steps=20)
    assert jnp.isfinite(energies[0])
    assert bool(jnp.all(jnp.isfinite(relaxed))) and energies[-1] < energies[0]
