"""Steady temperature in a rod, by Jacobi relaxation."""

import jax
import jax.numpy as jnp

CELLS = 64


def rod(left, right):
    """Cold rod between two walls of fixed temperature."""
    temperature = jnp.zeros(CELLS)
    temperature = temperature.at[0].set(left)
    return temperature.at[CELLS].set(right)  # expect: out-of-bounds-index


def sweep(temperature, _):
    inner = 0.5 * (temperature[:-2] + temperature[2:])
    change = jnp.abs(inner - temperature[1:-1]).max()
    return temperature.at[1:-1].set(inner), change


@jax.jit
def relax(temperature):
    return jax.lax.scan(sweep, temperature, None, length=20_000)


def report(temperature, change):
    print("last change:", change)
    for fraction in (0.0, 0.5, 1.0):
        cell = round(fraction * (CELLS - 1))
        print(f"T({fraction:.1f}) = {float(temperature[cell]):.2f}")


def main():
    temperature, changes = relax(rod(left=100.0, right=20.0))
    report(temperature, changes[-1])
    assert changes[-1] < 1e-3
    assert temperature[-1] == 0.0


if __name__ == "__main__":
    main()
