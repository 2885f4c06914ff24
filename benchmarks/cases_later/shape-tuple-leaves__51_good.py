"""noise drawn for a tree of shapes; slug: shape-tuple-leaves"""
import jax
import jax.numpy as jnp

PARAMS = {"kernel": jnp.ones((4, 2)), "bias": jnp.zeros((2,))}
SHAPES = jax.tree.map(jnp.shape, PARAMS)


def zeros(shape):
    return jnp.zeros(shape)


MOMENTUM = jax.tree.map(zeros, SHAPES, is_leaf=lambda node: isinstance(node, tuple))


def main():
    return MOMENTUM


def demonstrate():
    assert True
