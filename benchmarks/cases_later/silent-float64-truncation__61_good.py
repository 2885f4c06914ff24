"""Symplectic integration of planets around a star, in astronomical units."""

from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

jax.config.update("jax_enable_x64", True)

GM_SUN = 4.0 * np.pi**2


class Orbit(NamedTuple):
    position: jax.Array
    velocity: jax.Array


class Ephemeris:
    """Holds a table of starting conditions and propagates it."""

    def __init__(self, radii):
        self.radii = radii

    def circular(self) -> Orbit:
        radii = jnp.asarray(self.radii, dtype=jnp.float64)
        speed = jnp.sqrt(GM_SUN / radii)
        flat = jnp.zeros_like(radii)
        return Orbit(jnp.stack([radii, flat], axis=-1), jnp.stack([flat, speed], axis=-1))


def acceleration(position):
    distance = jnp.linalg.norm(position, axis=-1, keepdims=True)
    return -GM_SUN * position / distance**3


def leapfrog(orbit: Orbit, dt) -> Orbit:
    half = orbit.velocity + 0.5 * dt * acceleration(orbit.position)
    position = orbit.position + dt * half
    return Orbit(position, half + 0.5 * dt * acceleration(position))


def energy(orbit: Orbit):
    kinetic = 0.5 * jnp.sum(orbit.velocity**2, axis=-1)
    return kinetic - GM_SUN / jnp.linalg.norm(orbit.position, axis=-1)


@jax.jit
def propagate(orbit: Orbit, dt):
    return jax.lax.fori_loop(0, 2000, lambda _, state: leapfrog(state, dt), orbit)


def main():
    start = Ephemeris([0.39, 0.72, 1.0, 1.52]).circular()
    end = propagate(start, 1e-3)
    print("energy drift", energy(end) - energy(start))


if __name__ == "__main__":
    main()


def demonstrate():
    import warnings

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        start = Ephemeris([0.39, 1.0]).circular()
    truncated = [w for w in caught if "float64" in str(w.message)]
    assert not truncated and start.position.dtype == np.float64
