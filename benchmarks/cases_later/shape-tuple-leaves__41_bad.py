"""a zero buffer made from a tree of shapes; slug: shape-tuple-leaves"""
import jax
import jax.numpy as jnp


def shapes_of(params):
    return jax.tree.map(lambda p: p.shape, params)


def accumulators(params):
    return jax.tree.map(jnp.zeros, shapes_of(params))  # expect: shape-tuple-leaves


def demonstrate():
    params = {"w": jnp.ones((2, 3)), "b": jnp.ones((3,))}
    acc = accumulators(params)
    assert isinstance(acc["w"], tuple)
