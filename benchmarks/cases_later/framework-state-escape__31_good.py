"""after batch statistics of a closed-over nnx model under jax.jit; slug: framework-state-escape"""

import jax
import jax.numpy as jnp
from flax import nnx


class Encoder(nnx.Module):
    def __init__(self, rngs):
        self.proj = nnx.Linear(3, 4, rngs=rngs)
        self.norm = nnx.BatchNorm(4, rngs=rngs)

    def __call__(self, x):
        return self.norm(self.proj(x))


def warm_up(model, batches):
    @nnx.jit
    def forward(model, x):
        return model(x)

    for x in batches:
        forward(model, x)
    return model


def main():
    model = Encoder(nnx.Rngs(0))
    return warm_up(model, [jnp.full((2, 3), 5.0)] * 3)


def demonstrate():
    assert bool(jnp.any(main().norm.mean[...] != 0))
