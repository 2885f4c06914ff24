"""One-dimensional heat rod: insulated on the left, held at a fixed temperature on the right."""

from dataclasses import dataclass
from functools import partial

import jax
import jax.numpy as jnp
from jax import lax


@dataclass(frozen=True)
class Rod:
    cells: int
    diffusivity: float
    bath: float

    def initial(self):
        grid = jnp.linspace(0.0, 1.0, self.cells)
        return jnp.exp(-40.0 * (grid - 0.3) ** 2)


def laplacian(field):
    padded = jnp.pad(field, 1, mode="edge")
    return padded[2:] - 2.0 * field + padded[:-2]


def apply_bath(field, temperature):
    field[-1] = temperature  # expect: in-place-item-assignment
    return field


def advance(field, _, rod):
    field = field + rod.diffusivity * laplacian(field)
    field = apply_bath(field, rod.bath)
    return field, field.mean()


@partial(jax.jit, static_argnames=("rod", "steps"))
def run(field, rod, steps):
    return lax.scan(partial(advance, rod=rod), field, length=steps)


def main():
    rod = Rod(cells=64, diffusivity=0.2, bath=0.5)
    final, means = run(rod.initial(), rod, steps=200)
    print("mean temperature", means[-1], "end", final[-1])


if __name__ == "__main__":
    main()


def demonstrate():
    rod = Rod(cells=16, diffusivity=0.2, bath=0.5)
    try:
        run(rod.initial(), rod, steps=5)
    except TypeError as err:
        assert "immutable" in str(err)
    else:
        raise AssertionError("no error")
