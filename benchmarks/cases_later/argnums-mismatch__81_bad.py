"""Harmonic crystal: forces on the atoms and stress on the cell."""
import jax
import jax.numpy as jnp


class Potential:
    """Base class: a subclass gives the energy of fractional coordinates in a cell."""

    def energy(self, fractional, cell):
        raise NotImplementedError

    def forces(self, fractional, cell):
        return -jax.grad(self.energy)(fractional, cell) @ jnp.linalg.inv(cell).T

    def stress(self, fractional, cell):
        return self._strain_gradient(fractional, cell) / jnp.abs(jnp.linalg.det(cell))

    def _strain_gradient(self, fractional, cell):
        return cell.T @ jax.grad(self.energy, argnums=2)(fractional, cell)  # expect: argnums-mismatch


class Springs(Potential):
    def __init__(self, stiffness, rest_length):
        self.stiffness = stiffness
        self.rest_length = rest_length

    def energy(self, fractional, cell):
        bonds = jnp.diff(fractional @ cell, axis=0)
        lengths = jnp.linalg.norm(bonds, axis=-1)
        return 0.5 * self.stiffness * jnp.sum((lengths - self.rest_length) ** 2)


def chain(count):
    return jnp.stack([jnp.linspace(0.0, 0.8, count)] * 3, axis=-1)


def main():
    potential = Springs(stiffness=2.0, rest_length=1.0)
    cell = 4.0 * jnp.eye(3)
    atoms = chain(5)
    forces = potential.forces(atoms, cell)
    stress = potential.stress(atoms, cell)
    print("forces", forces.shape, "stress", jnp.diag(stress))
    assert stress.shape == (3, 3)


if __name__ == "__main__":
    main()
