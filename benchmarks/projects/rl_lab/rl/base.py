"""What all environments share: `step` is compiled once per class, subclasses bring the dynamics."""
from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp


class Step(NamedTuple):
    state: jax.Array
    reward: jax.Array
    done: jax.Array


class Env:
    horizon = 50
    size = 2

    @partial(jax.jit, static_argnums=0)
    def step(self, state, action):
        new = self.dynamics(state, action)
        return Step(new, self.reward(new), self.finished(new))

    def dynamics(self, state, action):
        raise NotImplementedError

    def reward(self, state):
        return -jnp.sum(state**2)

    def finished(self, state):
        return jnp.abs(state).max() > 10.0

    def reset(self, key):
        return jax.random.normal(key, (self.size,))
