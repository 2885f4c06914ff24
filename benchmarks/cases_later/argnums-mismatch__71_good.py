"""Leapfrog integration of a Hamiltonian system."""

import jax
import jax.numpy as jnp


class Hamiltonian:
    """Kinetic plus potential energy of coupled oscillators."""

    def __init__(self, masses, coupling):
        self.masses = masses
        self.coupling = coupling

    def energy(self, q, p):
        kinetic = 0.5 * jnp.sum(p**2 / self.masses)
        stretch = q[1:] - q[:-1]
        potential = 0.5 * self.coupling * jnp.sum(stretch**2) + 0.5 * jnp.sum(q**2)
        return kinetic + potential

    def field(self, q, p):
        """Time derivatives of position and momentum."""
        dh_dq, dh_dp = jax.grad(self.energy, argnums=(0, 1))(q, p)
        return dh_dp, -dh_dq


def leapfrog(system, dt):
    def step(state, _):
        q, p = state
        _, force = system.field(q, p)
        p_half = p + 0.5 * dt * force
        velocity, _ = system.field(q, p_half)
        q = q + dt * velocity
        _, force = system.field(q, p_half)
        p = p_half + 0.5 * dt * force
        return (q, p), system.energy(q, p)

    return step


def simulate(system, q, p, dt, steps):
    (q, p), energies = jax.lax.scan(leapfrog(system, dt), (q, p), None, length=steps)
    return q, p, energies


def main():
    system = Hamiltonian(masses=jnp.array([1.0, 2.0, 1.0]), coupling=0.5)
    q = jnp.array([1.0, 0.0, -0.5])
    p = jnp.zeros(3)
    _, _, energies = simulate(system, q, p, dt=0.01, steps=500)
    drift = jnp.abs(energies - system.energy(q, p)).max()
    assert drift < 1e-3
    print("largest energy drift:", drift)


if __name__ == "__main__":
    main()
