"""Phase retrieval: recover a complex signal from the magnitudes of its measurements."""

from dataclasses import dataclass
from functools import partial

import jax
import jax.numpy as jnp
from jax import lax


@dataclass(frozen=True)
class DescentConfig:
    rate: float = 0.02
    steps: int = 200


def complex_normal(key, shape):
    real_key, imag_key = jax.random.split(key)
    return jax.lax.complex(
        jax.random.normal(real_key, shape), jax.random.normal(imag_key, shape)
    )


def misfit(signal, sensing, intensities):
    residual = jnp.abs(sensing @ signal) ** 2 - intensities
    return jnp.mean(residual**2)


def descend(signal, _, objective, rate):
    value, slope = jax.value_and_grad(objective)(signal)
    return signal - rate * slope, value  # expect: unconjugated-complex-gradient


@partial(jax.jit, static_argnames="config")
def recover(start, sensing, intensities, config):
    objective = partial(misfit, sensing=sensing, intensities=intensities)
    body = partial(descend, objective=objective, rate=config.rate)
    return lax.scan(body, start, length=config.steps)


def problem(key, size=4, measurements=40):
    sensing_key, truth_key, start_key = jax.random.split(key, 3)
    sensing = complex_normal(sensing_key, (measurements, size)) / jnp.sqrt(2.0 * size)
    truth = complex_normal(truth_key, (size,))
    start = truth + 0.3 * complex_normal(start_key, (size,))
    return start, sensing, jnp.abs(sensing @ truth) ** 2


def main():
    start, sensing, intensities = problem(jax.random.key(40))
    _, losses = recover(start, sensing, intensities, DescentConfig())
    print("misfit", losses[0], "->", losses[-1])


if __name__ == "__main__":
    main()


def demonstrate():
    start, sensing, intensities = problem(jax.random.key(40))
    _, losses = recover(start, sensing, intensities, DescentConfig(rate=0.01, steps=60))
    assert not losses[-1] < losses[0], losses
