"""Synthetic regression problem and a Bayesian linear fit."""

from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpyro.distributions as dist


class Streams(NamedTuple):
    slope: jax.Array
    inputs: jax.Array
    noise: jax.Array


def open_streams(seed: int) -> Streams:
    return Streams(*jax.random.split(jax.random.key(seed), 3))


def draw_inputs(key, n):
    return dist.Normal(0.0, 1.0).sample(key, (n,))


def observe(key, mean, scale):
    noise = dist.Normal(0.0, 1.0).sample(key, mean.shape)
    return mean + scale * noise


class LinearProblem:
    def __init__(self, seed: int, n: int = 128, scale: float = 0.3):
        self.streams = open_streams(seed)
        self.n = n
        self.scale = scale

    def dataset(self):
        slope = dist.Gamma(2.0, 1.0).sample(self.streams.slope)
        x = draw_inputs(self.streams.inputs, self.n)
        y = observe(self.streams.noise, slope * x, self.scale)
        return x, y, slope


def posterior(x, y, scale, prior_var=10.0):
    precision = jnp.sum(x * x) / scale**2 + 1.0 / prior_var
    mean = jnp.sum(x * y) / scale**2 / precision
    return dist.Normal(mean, jax.lax.rsqrt(precision))


def main():
    problem = LinearProblem(seed=11)
    x, y, slope = problem.dataset()
    fit = posterior(x, y, problem.scale)
    print("true", slope, "estimated", fit.loc, "+-", fit.scale)


def demonstrate():
    problem = LinearProblem(seed=11)
    x, y, slope = problem.dataset()
    noise = (y - slope * x) / problem.scale
    assert not jnp.allclose(noise, x, atol=0.5)
    assert abs(jnp.corrcoef(noise, x)[0, 1]) < 0.4
