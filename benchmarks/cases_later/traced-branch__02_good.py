"""after general knowledge; slug: traced-branch; corrected twin"""
from dataclasses import dataclass

import jax
import jax.numpy as jnp
from jax import lax


@dataclass(frozen=True)
class Bounds:
    low: float
    high: float


def reflect(position, velocity, bounds):
    outside = (position < bounds.low) | (position > bounds.high)
    return position, jnp.where(outside, -velocity, velocity)


def simulate(position, velocity, n_steps, bounds=Bounds(0.0, 1.0), dt=0.05):
    def body(carry, _):
        position, velocity = carry
        position, velocity = reflect(position + dt * velocity, velocity, bounds)
        return (position, velocity), position

    _, path = lax.scan(body, (position, velocity), None, length=n_steps)
    return path


def demonstrate():
    assert simulate(0.3, 1.0, 10).shape == (10,)
