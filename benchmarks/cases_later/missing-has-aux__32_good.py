"""after new state returned from a loss that grad thinks is a scalar; slug: missing-has-aux"""

import equinox as eqx
import jax
import jax.numpy as jnp


class Cell(eqx.Module):
    gru: eqx.nn.GRUCell
    head: eqx.nn.Linear

    def __init__(self, key):
        k1, k2 = jax.random.split(key)
        self.gru = eqx.nn.GRUCell(2, 4, key=k1)
        self.head = eqx.nn.Linear(4, 1, key=k2)

    def __call__(self, x, hidden):
        hidden = self.gru(x, hidden)
        return self.head(hidden), hidden


def loss(model, x, y, hidden):
    prediction, hidden = model(x, hidden)
    return jnp.sum((prediction - y) ** 2), hidden


@eqx.filter_jit
def step(model, x, y, hidden):
    grads, hidden = eqx.filter_grad(loss, has_aux=True)(model, x, y, hidden)
    return eqx.apply_updates(model, jax.tree.map(lambda g: -0.1 * g, grads)), hidden


def main():
    model = Cell(jax.random.key(0))
    return step(model, jnp.ones(2), jnp.zeros(1), jnp.zeros(4))


def demonstrate():
    assert main()[1].shape == (4,)
