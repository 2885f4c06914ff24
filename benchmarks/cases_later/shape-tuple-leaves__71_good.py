"""A momentum optimiser with low-precision slots, used with haiku."""

from typing import NamedTuple

import haiku as hk
import jax
import jax.numpy as jnp


class Slots(NamedTuple):
    momentum: hk.Params
    count: jax.Array


def param_shapes(params):
    """Shapes of all parameters, for the memory report too."""
    return jax.tree.map(lambda p: p.shape, params)


class Momentum:
    def __init__(self, rate, decay=0.9, dtype=jnp.bfloat16):
        self.rate = rate
        self.decay = decay
        self.dtype = dtype

    def init(self, params):
        shapes = param_shapes(params)
        momentum = jax.tree.map(
            lambda s: jnp.zeros(s, self.dtype), shapes, is_leaf=lambda s: isinstance(s, tuple)
        )
        return Slots(momentum, jnp.zeros((), jnp.int32))

    def memory(self, slots):
        return sum(leaf.nbytes for leaf in jax.tree.leaves(slots.momentum))


def network(x):
    return hk.nets.MLP([32, 32, 1])(x)


def main():
    net = hk.without_apply_rng(hk.transform(network))
    params = net.init(jax.random.key(0), jnp.zeros((1, 10)))
    optimiser = Momentum(rate=0.1)
    slots = optimiser.init(params)
    expected = 2 * sum(p.size for p in jax.tree.leaves(params))
    print("slots take", optimiser.memory(slots), "bytes; half of the weights:", expected)
    assert jax.tree.structure(slots.momentum) == jax.tree.structure(params)
    assert optimiser.memory(slots) == expected


if __name__ == "__main__":
    main()
