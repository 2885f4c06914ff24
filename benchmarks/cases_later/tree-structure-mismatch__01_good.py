"""after general knowledge; slug: tree-structure-mismatch; corrected twin"""
import jax
import jax.numpy as jnp

params = {"encoder": {"w": jnp.ones((2, 2))}, "head": {"w": jnp.ones(2), "b": jnp.zeros(())}}
DECAY = {"encoder": {"w": 1e-4}, "head": {"w": 1e-3, "b": 0.0}}


def decayed(tree, rates):
    return jax.tree.map(lambda p, r: p * (1 - r), tree, rates)


def shrink():
    return decayed(params, DECAY)


def demonstrate():
    shrink()
