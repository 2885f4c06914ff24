"""after parameter counts from a tree of shapes; slug: shape-tuple-leaves"""

import math

import jax
import jax.numpy as jnp


def count(params):
    shapes = jax.tree.map(lambda leaf: leaf.shape, params)
    sizes = jax.tree.map(math.prod, shapes, is_leaf=lambda s: isinstance(s, tuple))
    return sum(jax.tree.leaves(sizes))


def main():
    params = {"dense": {"kernel": jnp.ones((3, 4)), "bias": jnp.zeros((4,))}}
    return count(params)


def demonstrate():
    assert main() == 16
