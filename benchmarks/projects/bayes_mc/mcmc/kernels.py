"""Integrators and transition kernels."""
from __future__ import annotations

import dataclasses
import functools
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.flatten_util import ravel_pytree

from . import tree


@functools.partial(jax.tree_util.register_dataclass, data_fields=["position", "value", "slope"], meta_fields=[])
@dataclasses.dataclass(frozen=True)
class ChainState:
    position: Any
    value: jax.Array
    slope: Any


@jax.tree_util.register_dataclass
@dataclasses.dataclass(frozen=True)
class Info:
    accept: jax.Array
    divergent: jax.Array


@dataclasses.dataclass(eq=False)
class Leapfrog:
    steps: int = 6

    def __call__(self, potential, state, momentum, step_size):
        def body(_, carry):
            position, momentum, _, slope = carry
            momentum = tree.axpy(-0.5 * step_size, slope, momentum)
            position = tree.axpy(step_size, momentum, position)
            value, slope = potential(position)
            return position, tree.axpy(-0.5 * step_size, slope, momentum), value, slope

        start = state.position, momentum, state.value, state.slope
        position, momentum, value, slope = jax.lax.fori_loop(0, self.steps, body, start)
        return ChainState(position, value, slope), momentum


@dataclasses.dataclass(eq=False)
class Jittered(Leapfrog):
    """Step sizes vary from path to path, so that no orbit closes."""

    spread: float = 0.3
    rng: np.random.Generator = dataclasses.field(default_factory=lambda: np.random.default_rng(0))

    def __call__(self, potential, state, momentum, step_size):
        factor = 1.0 + self.spread * self.rng.uniform(-1.0, 1.0)  # expect: host-rng-in-traced-code
        return super().__call__(potential, state, momentum, factor * step_size)


INTEGRATORS = {"leapfrog": Leapfrog, "jittered": Jittered}


class HMC:
    def __init__(self, model, integrator, divergence=1000.0):
        self.model, self.integrator, self.divergence = model, integrator, divergence

    def _potential(self, temperature):
        return jax.value_and_grad(functools.partial(self.model.potential, temperature=temperature))

    def init(self, position, temperature=1.0):
        value, slope = self._potential(temperature)(position)
        return ChainState(position, value, slope)

    def step(self, key, state, step_size, temperature=1.0):
        k_momentum, k_accept = jax.random.split(key)
        momentum = tree.normal_like(k_momentum, state.position)
        proposal, end = self.integrator(self._potential(temperature), state, momentum, step_size)
        change = state.value - proposal.value + 0.5 * (tree.dot(momentum, momentum) - tree.dot(end, end))
        change = jnp.where(jnp.isnan(change), -jnp.inf, change)
        accept = jnp.exp(jnp.minimum(change, 0.0))
        info = Info(accept, change < -self.divergence)
        return tree.select(jax.random.uniform(k_accept) < accept, proposal, state), info


def roughen(key, positions, scale):
    """Noise on the particles, one draw for all parameters."""
    flat, restore = ravel_pytree(positions)
    return restore(flat + scale * jax.random.normal(key, flat.shape))


@functools.partial(jax.jit, static_argnames=("kernel", "temperature", "moves"))
def mutate(kernel, key, positions, step_size, *, temperature, moves=1):
    """`moves` transitions of each particle at one temperature."""
    count = jax.tree.leaves(positions)[0].shape[0]
    states = jax.vmap(functools.partial(kernel.init, temperature=temperature))(positions)
    for move in range(moves):
        keys = jax.random.split(jax.random.fold_in(key, move), count)
        states, _ = jax.vmap(lambda k, s: kernel.step(k, s, step_size, temperature))(keys, states)
    return states.position
