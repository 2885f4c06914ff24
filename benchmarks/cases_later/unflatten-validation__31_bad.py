"""after a dataclass that checks its shape after init; slug: unflatten-validation"""

import dataclasses

import jax
import jax.numpy as jnp


@jax.tree_util.register_pytree_node_class
@dataclasses.dataclass
class Gaussian:
    mean: jax.Array
    scale: jax.Array

    def __post_init__(self):
        if self.mean.shape != self.scale.shape:  # expect: unflatten-validation
            raise ValueError("shapes differ")

    def tree_flatten(self):
        return (self.mean, self.scale), None

    @classmethod
    def tree_unflatten(cls, aux, children):
        return cls(*children)


def sample_axes(dist):
    return jax.tree.map(lambda _: 0, dist)


def main():
    dist = Gaussian(jnp.zeros(3), jnp.ones(3))
    axes = sample_axes(dist)
    return jax.vmap(lambda d: d.mean + d.scale, in_axes=(axes,))(dist)


def demonstrate():
    try:
        main()
    except AttributeError:
        return
    assert False
