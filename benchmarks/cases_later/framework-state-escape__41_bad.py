"""a model with batch norm under jax.jit; slug: framework-state-escape"""
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

    @jax.jit
    def forward(x):
        return net(x).sum()  # expect: framework-state-escape

    return forward(jnp.ones((8, 4)))


def demonstrate():
    try:
        main()
    except Exception as err:
        assert type(err).__name__ == 'TraceContextError', repr(err)
    else:
        raise AssertionError('expected TraceContextError')
