"""a module with dropout closed over by a compiled step; slug: framework-state-escape"""
import jax
import jax.numpy as jnp
from flax import nnx


class Denoiser(nnx.Module):
    def __init__(self, width, rngs):
        self.inner = nnx.Linear(2, width, rngs=rngs)
        self.dropout = nnx.Dropout(0.1, rngs=rngs)
        self.outer = nnx.Linear(width, 2, rngs=rngs)

    def __call__(self, x):
        return self.outer(self.dropout(nnx.tanh(self.inner(x))))


model = Denoiser(8, nnx.Rngs(0))


@nnx.jit
def reconstruct_with(model, x):
    return model(x)


def reconstruct(x):
    return reconstruct_with(model, x)


def main():
    return [reconstruct(jnp.ones((4, 2)) * scale) for scale in (0.5, 1.0)]


def demonstrate():
    main()
