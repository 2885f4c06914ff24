"""Spectral solver for the heat equation on a periodic interval."""
from functools import cached_property

import jax
import jax.numpy as jnp
import numpy as np


class SpectralGrid:
    def __init__(self, points, length):
        self.points = points
        self.length = length

    @property
    def x(self):
        return np.linspace(0.0, self.length, self.points, endpoint=False, dtype=np.float32)

    @cached_property  # expect: cached-traced-function
    def laplace_symbol(self):
        wave_numbers = 2.0 * jnp.pi * jnp.fft.rfftfreq(self.points, self.length / self.points)
        return -(wave_numbers**2)


def make_solver(grid, diffusivity):
    @jax.jit
    def advance(u, dt):
        decay = jnp.exp(diffusivity * dt * grid.laplace_symbol)
        return jnp.fft.irfft(decay * jnp.fft.rfft(u), n=grid.points)

    return advance


def curvature(grid, u):
    return jnp.fft.irfft(grid.laplace_symbol * jnp.fft.rfft(u), n=grid.points)


def main():
    grid = SpectralGrid(points=64, length=2.0 * np.pi)
    advance = make_solver(grid, diffusivity=0.1)
    start = jnp.sin(jnp.asarray(grid.x))
    end = advance(start, 1.0)
    bend = curvature(grid, end)
    print("amplitude", end.max(), "curvature", bend.min())
    assert jnp.allclose(bend, -end, atol=1e-3)


if __name__ == "__main__":
    main()
