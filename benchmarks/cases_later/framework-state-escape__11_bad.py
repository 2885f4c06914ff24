"""after nnx batch norm under plain jax.jit; slug: framework-state-escape"""
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

    @jax.jit
    def forward(x):
        return net(x)  # expect: framework-state-escape

    return [forward(b) for b in batches]


def demonstrate():
    try:
        evaluate([jnp.ones((2, 3))] * 2)
    except Exception as err:
        assert type(err).__name__ == 'TraceContextError', repr(err)
    else:
        raise AssertionError('expected TraceContextError')
