import jax.numpy as jnp
from flax import nnx

from .layers import Block, TimeEmbedding


class Denoiser(nnx.Module):
    def __init__(self, dim, width, rngs, block=Block, depth=2):
        self.embed = TimeEmbedding(width, rngs)
        self.lift = nnx.Linear(dim, width, rngs=rngs)
        self.blocks = nnx.List([block(width, rngs) for _ in range(depth)])
        self.drop = nnx.Linear(width, dim, rngs=rngs)

    def __call__(self, x, t):
        emb = self.embed(jnp.asarray(t, jnp.float32))
        h = self.lift(x)
        for block in self.blocks:
            h = block(h, emb)
        return self.drop(h)
