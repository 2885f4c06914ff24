import jax
import jax.numpy as jnp
from flax import nnx


class TimeEmbedding(nnx.Module):
    def __init__(self, width, rngs):
        self.width = width
        self.dense = nnx.Linear(width, width, rngs=rngs)

    def __call__(self, t):
        frequencies = jnp.exp(-jnp.arange(self.width // 2) / self.width)
        angles = t[..., None] * frequencies
        return self.dense(jnp.concatenate([jnp.sin(angles), jnp.cos(angles)], -1))


class Block(nnx.Module):
    def __init__(self, width, rngs, residual=True):
        self.residual = residual
        self.inner = nnx.Linear(width, width, rngs=rngs)
        self.gain = nnx.Param(jnp.ones(()))

    def __call__(self, x, emb):
        h = self.gain[...] * jax.nn.silu(self.inner(x + emb))
        return x + h if self.residual else h


class GatedBlock(Block):
    """Skips itself where its gain is gone."""

    def __call__(self, x, emb):
        if self.gain[...] == 0.0:  # expect: traced-branch
            return x
        return super().__call__(x, emb)


class ProbedBlock(Block):
    trail = []

    def __call__(self, x, emb):
        y = super().__call__(x, emb)
        ProbedBlock.trail.append(y.mean())  # expect: captured-mutation
        return y
