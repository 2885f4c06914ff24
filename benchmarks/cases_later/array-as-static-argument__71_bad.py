"""Finite-difference operators on a periodic grid."""

from dataclasses import dataclass
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np


@dataclass(frozen=True)
class Stencil:
    """Coefficients of a centred difference and the order of the derivative."""

    coefficients: np.ndarray
    order: int

    @property
    def radius(self):
        return len(self.coefficients) // 2


@partial(jax.jit, static_argnames=("stencil",))
def derivative(field, dx, stencil):
    result = jnp.zeros_like(field)
    for offset, coefficient in enumerate(stencil.coefficients):
        result = result + coefficient * jnp.roll(field, stencil.radius - offset)
    return result / dx**stencil.order


class Diffusion:
    def __init__(self, dx, diffusivity):
        self.dx = dx
        self.diffusivity = diffusivity
        self.laplacian = Stencil(np.array([1.0, -2.0, 1.0]), order=2)

    def tendency(self, field):
        second = derivative(field, self.dx, stencil=self.laplacian)  # expect: array-as-static-argument
        return self.diffusivity * second

    def run(self, field, dt, steps):
        def step(field, _):
            return field + dt * self.tendency(field), None

        field, _ = jax.lax.scan(step, field, None, length=steps)
        return field


def main():
    x = jnp.linspace(0.0, 2.0 * jnp.pi, 64, endpoint=False)
    dx = 2.0 * jnp.pi / 64
    field = Diffusion(dx, diffusivity=0.5).run(jnp.sin(x), dt=2e-3, steps=500)
    assert jnp.allclose(field, jnp.exp(-0.5) * jnp.sin(x), atol=1e-2)
    print("amplitude:", field.max())


if __name__ == "__main__":
    main()
