"""after jax.value_and_grad over nnx dropout; slug: framework-state-escape"""
import jax
import jax.numpy as jnp
import optax
from flax import nnx


class Regressor(nnx.Module):
    def __init__(self, rngs):
        self.hidden = nnx.Linear(2, 8, rngs=rngs)
        self.drop = nnx.Dropout(0.5, rngs=rngs)
        self.out = nnx.Linear(8, 1, rngs=rngs)

    def __call__(self, x):
        return self.out(self.drop(nnx.relu(self.hidden(x))))


def train(x, y, steps):
    model = Regressor(nnx.Rngs(0))
    optimizer = nnx.Optimizer(model, optax.sgd(0.1), wrt=nnx.Param)

    def loss_fn(model, x, y):
        return jnp.mean((model(x) - y) ** 2)

    @jax.jit
    def step(x, y):
        loss, grads = nnx.value_and_grad(loss_fn)(model, x, y)  # expect: framework-state-escape
        optimizer.update(model, grads)
        return loss

    for _ in range(steps):
        loss = step(x, y)
    return loss


def demonstrate():
    try:
        train(jnp.ones((4, 2)), jnp.ones((4, 1)), 2)
    except Exception as err:
        assert type(err).__name__ == 'TraceContextError', repr(err)
    else:
        raise AssertionError('expected TraceContextError')
