"""Classes that are registered elsewhere, and their kin."""

import dataclasses

import jax
import jax.numpy as jnp


@dataclasses.dataclass
class Point:
    x: jax.Array
    y: jax.Array
    label: str = ""

    @property
    def norm(self):
        return jnp.sqrt(self.x**2 + self.y**2)


class Base:
    def __init__(self, rate):
        self.rate = rate

    def scaled(self, x):
        return self.shift(x) * self.rate

    def shift(self, x):
        return x


class Box(Base):
    def __init__(self, rate, width):
        super().__init__(rate)
        self.width = width

    def shift(self, x):
        if self.width > 2:
            x = x + 1
        if x > 0:  # expect: traced-branch
            return x
        return -x


class Plain(Base):
    def shift(self, x):
        return jnp.maximum(x, 0)
