"""Jacobi iteration for the Poisson equation on a square."""
import jax
import jax.numpy as jnp


class PoissonSolver:
    def __init__(self, source, spacing, relaxation=1.0):
        self.source = source
        self.spacing = spacing
        self.relaxation = relaxation

    def _sweep(self, _, u):
        padded = jnp.pad(u, 1)
        neighbours = padded[:-2, 1:-1] + padded[2:, 1:-1] + padded[1:-1, :-2] + padded[1:-1, 2:]
        update = 0.25 * (neighbours + self.spacing**2 * self.source)
        return (1.0 - self.relaxation) * u + self.relaxation * update

    def residual(self, u):
        return jnp.max(jnp.abs(self._sweep(0, u) - u))

    def solve(self, sweeps):
        start = jnp.zeros_like(self.source)
        return jax.lax.fori_loop(0, sweeps, self._sweep, start)


def point_charges(size):
    source = jnp.zeros((size, size))
    return source.at[size // 4, size // 2].set(1.0).at[3 * size // 4, size // 2].set(-1.0)


def main():
    solver = PoissonSolver(point_charges(20), spacing=1.0)
    potential = solver.solve(sweeps=400)
    residual = solver.residual(potential)
    print("range", potential.min(), potential.max(), "residual", residual)
    assert residual < 1e-3


if __name__ == "__main__":
    main()
