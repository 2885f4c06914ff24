"""Multi-scale smoothing of a one-dimensional signal."""

from dataclasses import dataclass, field
from functools import partial

import jax
import jax.numpy as jnp


@dataclass
class SmootherConfig:
    widths: list[int] = field(default_factory=lambda: [3, 7, 15])
    blend: float = 0.5


def box_filter(signal, width):
    kernel = jnp.ones(width) / width
    return jnp.convolve(signal, kernel, mode="same")


@partial(jax.jit, static_argnames=("widths",))
def pyramid(signal, widths):
    return jnp.stack([box_filter(signal, width) for width in widths])


class Smoother:
    def __init__(self, config: SmootherConfig):
        self.config = config

    def levels(self, signal):
        return pyramid(signal, tuple(self.config.widths))

    def __call__(self, signal):
        smooth = self.levels(signal).mean(axis=0)
        return self.config.blend * signal + (1.0 - self.config.blend) * smooth


def noisy_sine(key, length=256):
    clean = jnp.sin(jnp.linspace(0.0, 12.0, length))
    return clean + 0.2 * jax.random.normal(key, (length,))


def main():
    smoother = Smoother(SmootherConfig())
    signal = noisy_sine(jax.random.key(5))
    print("roughness", jnp.abs(jnp.diff(smoother(signal))).mean())


if __name__ == "__main__":
    main()


def demonstrate():
    smoother = Smoother(SmootherConfig(widths=[3, 5]))
    signal = noisy_sine(jax.random.key(5), 32)
    assert smoother(signal).shape == (32,)
