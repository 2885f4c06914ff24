"""after nnx batch norm under plain jax.jit; slug: framework-state-escape; corrected twin"""
import jax
import jax.numpy as jnp
from flax import nnx


class Net(nnx.Module):
    def __init__(self, rngs):
        self.dense = nnx.Linear(3, 3, rngs=rngs)
        self.norm = nnx.BatchNorm(3, rngs=rngs)

    def __call__(self, x):
        return self.norm(self.dense(x))


def evaluate(batches):
    net = Net(nnx.Rngs(0))

    @nnx.jit
    def forward(net, x):
        return net(x)

    return [forward(net, b) for b in batches]


def demonstrate():
    evaluate([jnp.ones((2, 3))] * 2)
