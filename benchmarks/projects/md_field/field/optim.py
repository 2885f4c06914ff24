"""Adam, schedules, and an average of the weights."""
import math
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp


class AdamState(NamedTuple):
    step: jax.Array
    first: Any
    second: Any


def adam_init(params):
    zeros = jax.tree.map(jnp.zeros_like, params)
    return AdamState(jnp.int32(0), zeros, jax.tree.map(jnp.copy, zeros))


def adam(grads, state, rate, decays=(0.9, 0.999)):
    step = state.step + 1
    first = jax.tree.map(lambda m, g: decays[0] * m + (1 - decays[0]) * g, state.first, grads)
    second = jax.tree.map(lambda v, g: decays[1] * v + (1 - decays[1]) * g * g, state.second, grads)
    scale = rate * jnp.sqrt(1 - decays[1] ** step) / (1 - decays[0] ** step)
    return jax.tree.map(lambda m, v: -scale * m / (jnp.sqrt(v) + 1e-8), first, second), AdamState(step, first, second)


class Cosine:
    def __init__(self, rate, warmup, steps):
        self.rate, self.warmup, self.steps = rate, warmup, steps

    def __call__(self, step):
        rise = jnp.minimum(1.0, (step + 1) / self.warmup)
        return self.rate * rise * 0.5 * (1 + jnp.cos(math.pi * step / self.steps))


class Piecewise(Cosine):
    def __call__(self, step):
        if step < self.warmup:  # expect: traced-branch
            return self.rate * (step + 1) / self.warmup
        return self.rate


SCHEDULES = {"cosine": Cosine, "piecewise": Piecewise}


class Average:
    """A moving average of the weights."""

    def __init__(self, decay):
        self.decay, self.shadow = decay, None

    def update(self, params):
        if self.shadow is None:
            self.shadow = jax.tree.map(jnp.copy, params)
        else:
            mix = lambda old, new: self.decay * old + (1 - self.decay) * new
            self.shadow = jax.tree.map(mix, self.shadow, params)  # expect: self-mutation
        return self.shadow
