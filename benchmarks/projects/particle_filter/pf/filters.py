"""The bootstrap filter and one that looks ahead."""
import functools

import jax
import jax.numpy as jnp

from .resampling import SCHEMES, effective_size, normalise
from .types import ParticleState, StepInfo


class BootstrapFilter:
    """Propagate, weigh, resample."""

    def __init__(self, model, config, on_step=None):
        self.model, self.config = model, config
        self.resample = SCHEMES[config.resampling]
        self.on_step = on_step
        self.evidence = []

    def init(self, key):
        keys = jax.random.split(key, self.config.particles)
        particles = jax.vmap(self.model.initial)(keys)
        return ParticleState(particles, jnp.zeros(self.config.particles), jnp.zeros(()))

    def step(self, state, inputs):
        key, y = inputs
        move, choose = jax.random.split(key)
        particles = self.model.propagate(move, state.particles)
        log_weights = state.log_weights + self.model.weigh(particles, y)
        ess = effective_size(log_weights)
        gain = jax.nn.logsumexp(log_weights) - jax.nn.logsumexp(state.log_weights)
        self.evidence.append(gain)  # expect: captured-mutation
        particles, log_weights, ancestors = self.choose(choose, particles, log_weights, ess)
        info = StepInfo(normalise(log_weights) @ particles, ess, ancestors)
        if self.on_step is not None:
            self.on_step(info)
        return ParticleState(particles, log_weights, state.log_likelihood + gain), info

    def choose(self, key, particles, log_weights, ess):
        size = particles.shape[0]
        if self.config.adaptive and ess > self.config.threshold * size:  # expect: traced-branch
            return particles, log_weights, jnp.arange(size)
        ancestors = self.resample(key, log_weights)
        return particles[ancestors], jnp.zeros_like(log_weights), ancestors

    @functools.partial(jax.jit, static_argnums=0)
    def run(self, key, observations):
        start, rest = jax.random.split(key)
        keys = jax.random.split(rest, len(observations))
        return jax.lax.scan(self.step, self.init(start), (keys, observations))


class AuxiliaryFilter(BootstrapFilter):
    """Chooses by how well a first guess fits the observation."""

    def step(self, state, inputs):
        key, y = inputs
        guess = self.model.propagate(key, state.particles)
        first = self.model.weigh(guess, y)
        ancestors = self.resample(key, state.log_weights + first)  # expect: key-reuse
        moved = self.model.propagate(jax.random.fold_in(key, 1), state.particles[ancestors])
        log_weights = self.model.weigh(moved, y) - first[ancestors]
        info = StepInfo(normalise(log_weights) @ moved, effective_size(log_weights), ancestors)
        return ParticleState(moved, log_weights, state.log_likelihood), info


class GuidedFilter(BootstrapFilter):
    """The same with a key for each of the three."""

    def step(self, state, inputs):
        key, y = inputs
        look, choose, move = jax.random.split(key, 3)
        guess = self.model.propagate(look, state.particles)
        first = self.model.weigh(guess, y)
        ancestors = self.resample(choose, state.log_weights + first)
        moved = self.model.propagate(move, state.particles[ancestors])
        log_weights = self.model.weigh(moved, y) - first[ancestors]
        info = StepInfo(normalise(log_weights) @ moved, effective_size(log_weights), ancestors)
        return ParticleState(moved, log_weights, state.log_likelihood), info


FILTERS = {"bootstrap": BootstrapFilter, "auxiliary": AuxiliaryFilter, "guided": GuidedFilter}
