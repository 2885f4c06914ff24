"""after general knowledge; slug: shape-tuple-leaves; corrected twin"""
import jax
import jax.numpy as jnp


def fresh_moments(params):
    first = jax.tree.map(jnp.zeros_like, params)
    second = jax.tree.map(jnp.zeros_like, params)
    return first, second


def adam_init(params):
    m, v = fresh_moments(params)
    return {"m": m, "v": v, "step": 0}


def demonstrate():
    state = adam_init({"w": jnp.ones((2, 3))})
    assert state["m"]["w"].shape == (2, 3)
