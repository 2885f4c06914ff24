"""Heat conduction in a steel bar whose conductivity depends on temperature."""

from dataclasses import dataclass

import jax
import jax.numpy as jnp
import numpy as np

# Measured conductivity of the alloy, W/(m K).
TEMPERATURES = np.array([250.0, 350.0, 450.0, 600.0, 900.0])
CONDUCTIVITY = np.array([51.0, 48.5, 44.0, 38.5, 29.0])


@dataclass(frozen=True)
class Bar:
    cells: int = 50
    dx: float = 0.01
    dt: float = 0.5
    heat_capacity: float = 3.6e6


def conductivity(temperature):
    return np.interp(temperature, TEMPERATURES, CONDUCTIVITY)  # expect: numpy-on-tracer


def heat_flux(bar, temperature):
    at_faces = 0.5 * (temperature[1:] + temperature[:-1])
    gradient = (temperature[1:] - temperature[:-1]) / bar.dx
    return -conductivity(at_faces) * gradient


def make_solver(bar, left, right):
    def step(temperature, _):
        divergence = jnp.diff(heat_flux(bar, temperature)) / bar.dx
        inner = temperature[1:-1] - bar.dt * divergence / bar.heat_capacity
        temperature = jnp.concatenate([left[None], inner, right[None]])
        return temperature, temperature.mean()

    @jax.jit
    def solve(temperature):
        return jax.lax.scan(step, temperature, None, length=200)

    return solve


def main():
    bar = Bar()
    solve = make_solver(bar, jnp.asarray(800.0), jnp.asarray(300.0))
    final, means = solve(jnp.full(bar.cells, 300.0))
    assert means[-1] > means[0]
    print("hottest inner cell:", final[1])


if __name__ == "__main__":
    main()
