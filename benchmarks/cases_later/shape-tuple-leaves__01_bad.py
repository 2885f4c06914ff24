"""after general knowledge; slug: shape-tuple-leaves"""
import jax
import jax.numpy as jnp


def fresh_moments(params):
    shapes = jax.tree.map(jnp.shape, params)
    first = jax.tree.map(jnp.zeros, shapes)  # expect: shape-tuple-leaves
    second = jax.tree.map(jnp.zeros, shapes)  # expect: shape-tuple-leaves
    return first, second


def adam_init(params):
    m, v = fresh_moments(params)
    return {"m": m, "v": v, "step": 0}


def demonstrate():
    state = adam_init({"w": jnp.ones((2, 3))})
    assert isinstance(state["m"]["w"], tuple) and state["m"]["w"][0].shape == (2,)
