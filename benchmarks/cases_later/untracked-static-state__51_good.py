"""a static configuration object that is changed between calls; slug: untracked-static-state"""
from functools import partial

import jax
import jax.numpy as jnp


class Physics:
    def __init__(self, gravity):
        self.gravity = gravity


def acceleration(physics, velocity):
    return -physics - 0.1 * velocity


@partial(jax.jit, static_argnums=0)
def advance(physics, velocity, dt):
    return velocity + dt * acceleration(physics, velocity)


def main():
    physics = Physics(9.81)
    on_earth = advance(physics.gravity, jnp.array(0.0), 0.1)
    physics.gravity = 1.62
    on_moon = advance(physics.gravity, jnp.array(0.0), 0.1)
    return on_earth, on_moon


def demonstrate():
    assert float(main()[1]) != float(main()[0])
