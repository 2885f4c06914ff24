"""The network that gives the velocity at one point and one time."""
import jax
import jax.numpy as jnp
from flax import nnx

from .config import ModelConfig
from .embed import EMBEDDINGS


class Block(nnx.Module):
    def __init__(self, width: int, extra: int, *, gated: bool, rngs: nnx.Rngs):
        self.inner = nnx.Linear(width + extra, width, rngs=rngs)
        self.outer = nnx.Linear(width, width, rngs=rngs)
        self.gate = nnx.Param(jnp.zeros(()))
        self.gated = gated

    def __call__(self, x, embedded):
        h = nnx.gelu(self.inner(jnp.concatenate([x, embedded])))
        if self.gated and self.gate[...] == 0.0:  # expect: traced-branch
            return x
        return x + self.outer(h)


class Velocity(nnx.Module):
    def __init__(self, config: ModelConfig, *, rngs: nnx.Rngs):
        self.embedding = nnx.static(EMBEDDINGS[config.embedding](config.width)) if hasattr(nnx, "static") else EMBEDDINGS[config.embedding](config.width)
        self.first = nnx.Linear(config.features, config.width, rngs=rngs)
        self.blocks = nnx.List([Block(config.width, config.width, gated=config.gated, rngs=rngs) for _ in range(config.depth)])
        self.last = nnx.Linear(config.width, config.features, rngs=rngs)
        self.calls = 0

    def __call__(self, x, t):
        embedded = self.embedding(t)
        h = self.first(x)
        for block in self.blocks:
            h = block(h, embedded)
        return self.last(h)


def parameters(model: Velocity) -> int:
    return sum(leaf.size for leaf in jax.tree.leaves(nnx.state(model, nnx.Param)))
