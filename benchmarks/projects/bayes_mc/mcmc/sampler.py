"""Chains side by side, one compiled step at a time."""
import jax
import jax.numpy as jnp

from . import tree
from .kernels import HMC


class Sampler:
    """A step for all chains; callbacks see the sampler after each one."""

    def __init__(self, kernel: HMC, step_size, callbacks=()):
        self.kernel, self.step_size, self.callbacks = kernel, step_size, list(callbacks)
        self._step = jax.jit(jax.vmap(self._one))
        self.seen = 0

    def _one(self, key, state):
        return self.kernel.step(key, state, self.step_size)  # expect: mutable-global-read

    def advance(self, keys, states):
        return self._step(keys, states)

    def run(self, key, states, draws):
        chains = states.value.shape[0]
        kept = []
        for _ in range(draws):
            key, use = jax.random.split(key)
            states, info = self.advance(jax.random.split(use, chains), states)
            self.seen += 1
            kept.append(states.position)
            for callback in self.callbacks:
                callback(self, info)
        return states, tree.stack(kept)


class SteppedSampler(Sampler):
    """The step size is an argument of the compiled step."""

    def __init__(self, kernel, step_size, callbacks=()):
        super().__init__(kernel, step_size, callbacks)
        self._sized = jax.jit(jax.vmap(kernel.step, in_axes=(0, 0, None)))

    def advance(self, keys, states):
        return self._sized(keys, states, self.step_size)


class ScannedSampler(SteppedSampler):
    """All draws in one compiled scan, without callbacks."""

    def run(self, key, states, draws):
        chains = states.value.shape[0]

        def body(states, key):
            states, info = jax.vmap(self.kernel.step, in_axes=(0, 0, None))(
                jax.random.split(key, chains), states, jnp.float32(self.step_size)
            )
            return states, states.position

        return jax.lax.scan(body, states, jax.random.split(key, draws))


def start(kernel, key, chains):
    keys = jax.random.split(key, chains)
    return jax.vmap(lambda k: kernel.init(kernel.model.init(k)))(keys)
