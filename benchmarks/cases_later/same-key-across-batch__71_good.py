"""Unadjusted Langevin sampling, written like a sampler library."""

from typing import Callable, NamedTuple

import jax
import jax.numpy as jnp


class ChainState(NamedTuple):
    position: jax.Array
    gradient: jax.Array


class Langevin:
    def __init__(self, log_density: Callable, step_size: float):
        self.log_density = log_density
        self.step_size = step_size

    def init(self, position):
        return ChainState(position, jax.grad(self.log_density)(position))

    def propose(self, state, noise):
        drift = self.step_size * state.gradient
        position = state.position + drift + jnp.sqrt(2.0 * self.step_size) * noise
        return self.init(position)


def sample(key, kernel, position, num_samples):
    """Run one chain; return the positions and the noise that moved it."""

    def one_step(state, step_key):
        noise = jax.random.normal(step_key, state.position.shape)
        state = kernel.propose(state, noise)
        return state, (state.position, noise)

    start = kernel.init(position)
    _, trace = jax.lax.scan(one_step, start, jax.random.split(key, num_samples))
    return trace


def log_density(x):
    return -0.5 * jnp.sum(x**2 / jnp.array([1.0, 4.0]))


def main():
    kernel = Langevin(log_density, step_size=0.1)
    positions, noise = sample(jax.random.key(11), kernel, jnp.zeros(2), 2000)
    spread = positions[500:].std(axis=0)
    print("posterior spread:", spread, "noise spread:", noise.std(axis=0))
    assert jnp.all(noise.std(axis=0) > 0.9)


if __name__ == "__main__":
    main()
