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

    def one_step(state, _):
        noise = jax.random.normal(key, state.position.shape)  # expect: same-key-across-batch
        state = kernel.propose(state, noise)
        return state, (state.position, noise)

    start = kernel.init(position)
    _, trace = jax.lax.scan(one_step, start, None, length=num_samples)
    return trace


def log_density(x):
    return -0.5 * jnp.sum(x**2 / jnp.array([1.0, 4.0]))


def main():
    kernel = Langevin(log_density, step_size=0.1)
    positions, noise = sample(jax.random.key(11), kernel, jnp.zeros(2), 2000)
    spread = positions[500:].std(axis=0)
    print("posterior spread:", spread, "noise spread:", noise.std(axis=0))
    assert jnp.all(noise == noise[0])


if __name__ == "__main__":
    main()
