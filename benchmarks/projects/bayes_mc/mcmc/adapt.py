"""The step size by dual averaging, in a scan."""
from typing import NamedTuple

import jax
import jax.numpy as jnp

from .config import AdaptConfig


class DualAverage(NamedTuple):
    log_step: jax.Array
    log_mean: jax.Array
    error: jax.Array
    count: jax.Array

    @classmethod
    def start(cls, step_size):
        log_step = jnp.log(jnp.float32(step_size))
        return cls(log_step, log_step, jnp.float32(0.0), jnp.float32(0.0))


def update(state, accept, centre, config: AdaptConfig):
    count = state.count + 1
    weight = 1 / (count + config.delay)
    error = (1 - weight) * state.error + weight * (config.target - accept)
    log_step = centre - jnp.sqrt(count) / config.gamma * error
    decay = count**-config.power
    return DualAverage(log_step, decay * log_step + (1 - decay) * state.log_mean, error, count)


class Warmup:
    def __init__(self, kernel, config: AdaptConfig, observers=()):
        self.kernel, self.config, self.observers = kernel, config, tuple(observers)
        self.runs = 0

    def run(self, key, state, steps, start=0.1):
        """The adapted state, step size, and acceptance of each step."""
        centre = jnp.log(10 * start)

        def body(carry, step_key):
            state, average = carry
            step_size = jnp.exp(average.log_step)
            state, info = self.kernel.step(step_key, state, step_size)
            for observer in self.observers:
                observer(step_size, info)
            return (state, update(average, info.accept, centre, self.config)), info.accept

        self.runs += 1
        keys = jax.random.split(key, steps)
        (state, average), accepts = jax.lax.scan(body, (state, DualAverage.start(start)), keys)
        return state, jnp.exp(average.log_mean), accepts


def moments(carry, x):
    """Welford's step, for `scan`."""
    count, mean, squares = carry
    count = count + 1
    delta = x - mean
    mean = mean + delta / count
    return (count, mean, squares + delta * (x - mean)), None


def variance(xs):
    start = jnp.zeros(()), jnp.zeros(xs.shape[1:]), jnp.zeros(xs.shape[1:])
    (count, _, squares), _ = jax.lax.scan(moments, start, xs)
    return squares / (count - 1)
