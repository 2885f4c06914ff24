"""Paths from noise (t = 0) to data (t = 1)."""
from __future__ import annotations

import abc

import jax.numpy as jnp


class Path(abc.ABC):
    """`coefficients` gives those of data and noise; the velocity follows."""

    @abc.abstractmethod
    def coefficients(self, t): ...

    @abc.abstractmethod
    def derivatives(self, t): ...

    def between(self, t, noise, data):
        a, b = self.coefficients(t)
        return a * data + b * noise

    def velocity(self, t, noise, data):
        a, b = self.derivatives(t)
        return a * data + b * noise


class Linear(Path):
    def coefficients(self, t):
        return t, 1 - t

    def derivatives(self, t):
        return 1.0, -1.0


class Trigonometric(Path):
    def coefficients(self, t):
        return jnp.sin(jnp.pi * t / 2), jnp.cos(jnp.pi * t / 2)

    def derivatives(self, t):
        return jnp.pi / 2 * jnp.cos(jnp.pi * t / 2), -jnp.pi / 2 * jnp.sin(jnp.pi * t / 2)


class Held(Linear):
    """Noise stays noise for the first tenth."""

    def __init__(self, until=0.1):
        self.until = until

    def coefficients(self, t):
        if t < self.until:  # expect: traced-branch
            return 0.0, 1.0
        return super().coefficients((t - self.until) / (1 - self.until))


class Power(Linear):
    """Coefficients from a list of exponents, one for each stage."""

    exponents = [1.0, 2.0, 3.0]

    def coefficients(self, t):
        stage = jnp.floor(t * len(self.exponents)).astype(int)
        power = self.exponents[stage]  # expect: traced-container-index
        return t**power, 1 - t**power


def make(name: str) -> Path:
    match name:
        case "linear":
            return Linear()
        case "trigonometric":
            return Trigonometric()
        case "held":
            return Held()
        case "power":
            return Power()
    raise ValueError(name)
