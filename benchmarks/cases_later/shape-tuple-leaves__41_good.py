"""a zero buffer made from a tree of shapes; slug: none"""
import jax
import jax.numpy as jnp


def shapes_of(params):
    return jax.tree.map(lambda p: p.shape, params)


def accumulators(params):
    return jax.tree.map(lambda p: jnp.zeros(p.shape), params)


def demonstrate():
    params = {"w": jnp.ones((2, 3)), "b": jnp.ones((3,))}
    acc = accumulators(params)
    assert acc["w"].shape == (2, 3)
