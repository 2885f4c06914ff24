"""a model with batch norm under jax.jit; slug: none"""
import jax
import jax.numpy as jnp
from flax import nnx


class Net(nnx.Module):
    def __init__(self, rngs):
        self.linear = nnx.Linear(4, 4, rngs=rngs)
        self.norm = nnx.BatchNorm(4, rngs=rngs)

    def __call__(self, x):
        return self.norm(self.linear(x))


def main():
    net = Net(nnx.Rngs(0))

    @nnx.jit
    def forward(net, x):
        return net(x).sum()

    return forward(net, jnp.ones((8, 4)))


def demonstrate():
    main()
