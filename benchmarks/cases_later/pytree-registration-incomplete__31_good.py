"""after a counter that flattening forgets; slug: pytree-registration-incomplete"""

import jax
import jax.numpy as jnp


class ReplayState:
    def __init__(self, storage, position=0, capacity=4):
        self.storage = storage
        self.position = position
        self.capacity = capacity


def flatten(state):
    return (state.storage, state.position), state.capacity


def unflatten(aux, children):
    storage, position = children
    return ReplayState(storage, position, aux)


jax.tree_util.register_pytree_node(ReplayState, flatten, unflatten)


@jax.jit
def push(state, row):
    storage = state.storage.at[state.position % state.capacity].set(row)
    return ReplayState(storage, state.position + 1, state.capacity)


def main():
    state = ReplayState(jnp.zeros((9, 2)), 0, capacity=9)
    return push(state, jnp.ones(2)).capacity


def demonstrate():
    assert main() == 9
