"""One-dimensional advection and diffusion with periodic boundaries."""
import dataclasses
from functools import partial

import jax
import jax.numpy as jnp


@dataclasses.dataclass
class Grid:
    points: int
    length: float

    @property
    def dx(self):
        return self.length / self.points

    def coordinates(self):
        return jnp.arange(self.points) * self.dx


@dataclasses.dataclass
class Transport:
    speed: float
    viscosity: float
    dx: float

    def rate(self, u):
        left, right = jnp.roll(u, 1), jnp.roll(u, -1)
        advection = self.speed * (u - left) / self.dx
        diffusion = self.viscosity * (left - 2.0 * u + right) / self.dx**2
        return diffusion - advection

    @partial(jax.jit, static_argnums=(0, 3))  # expect: jit-method-self
    def advance(self, u, dt, steps):
        return jax.lax.fori_loop(0, steps, lambda _, v: v + dt * self.rate(v), u)


def main():
    grid = Grid(points=64, length=2.0)
    solver = Transport(speed=1.0, viscosity=0.01, dx=grid.dx)
    start = jnp.exp(-20.0 * (grid.coordinates() - 0.5) ** 2)
    end = solver.advance(start, 0.005, 100)
    print("mass", start.sum(), end.sum(), "peak", end.max())
    assert jnp.allclose(start.sum(), end.sum(), rtol=1e-3)


if __name__ == "__main__":
    main()
