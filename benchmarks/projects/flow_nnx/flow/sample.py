"""Draw from a trained model."""
from dataclasses import dataclass, field

import jax
from flax import nnx

from .solvers import SOLVERS


@dataclass
class Sampler:
    model: nnx.Module
    solver: str = "euler"
    options: dict = field(default_factory=dict)

    def one(self, key, guide=None):
        x = jax.random.normal(key, (self.model.first.in_features,))
        velocity = self.model if guide is None else guide(self.model)
        return SOLVERS[self.solver](velocity, x, **self.options)

    def many(self, key, count):
        return jax.vmap(self.one)(jax.random.split(key, count))

    def guided(self, key, scales):
        """One image for each strength of the guide."""

        def at(key, scale):
            return self.one(key, lambda model: lambda x, t: (1 + scale) * model(x, t))

        return jax.vmap(at, in_axes=(None, 0))(key, scales)  # expect: same-key-across-batch

    def guided_split(self, key, scales):
        def at(key, scale):
            return self.one(key, lambda model: lambda x, t: (1 + scale) * model(x, t))

        return jax.vmap(at)(jax.random.split(key, len(scales)), scales)
