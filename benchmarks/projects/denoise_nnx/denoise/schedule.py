"""Noise schedules; which one is a matter of configuration."""
import dataclasses

import jax.numpy as jnp
import numpy as np


@dataclasses.dataclass(frozen=True)
class Schedule:
    steps: int = 10

    def alpha_bar(self, t):
        raise NotImplementedError

    def noisy(self, x, noise, t):
        a = self.alpha_bar(t)
        return jnp.sqrt(a) * x + jnp.sqrt(1 - a) * noise


@dataclasses.dataclass(frozen=True)
class Linear(Schedule):
    low: float = 0.01

    def alpha_bar(self, t):
        table = np.cumprod(1 - np.linspace(self.low, 0.2, self.steps))
        return jnp.asarray(table)[t]


@dataclasses.dataclass(frozen=True)
class Cosine(Schedule):
    def alpha_bar(self, t):
        phase = (t / self.steps + 0.008) / 1.008
        return np.cos(phase * np.pi / 2) ** 2  # expect: numpy-on-tracer


@dataclasses.dataclass(frozen=True)
class Tabulated(Schedule):
    values: tuple = (0.9, 0.5, 0.1)

    def alpha_bar(self, t):
        return self.values[t]  # expect: traced-container-index
