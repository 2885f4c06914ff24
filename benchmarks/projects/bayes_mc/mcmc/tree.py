"""Arithmetic on pytrees of parameters."""
import functools

import jax
import jax.numpy as jnp


def axpy(scale, x, y):
    return jax.tree.map(lambda a, b: scale * a + b, x, y)


def dot(x, y):
    return sum(jax.tree.leaves(jax.tree.map(jnp.vdot, x, y)))


def select(condition, on_true, on_false):
    return jax.tree.map(functools.partial(jnp.where, condition), on_true, on_false)


def normal_like(key, tree):
    """Standard normal numbers in the form of `tree`, one key for each leaf."""
    leaves, form = jax.tree.flatten(tree)
    keys = jax.random.split(key, len(leaves))
    return form.unflatten([jax.random.normal(k, leaf.shape, leaf.dtype) for k, leaf in zip(keys, leaves)])


def stack(trees):
    return jax.tree.map(lambda *leaves: jnp.stack(leaves), *trees)


def take(tree, index):
    return jax.tree.map(lambda leaf: leaf[index], tree)


def size(tree):
    """How many numbers there are; shapes alone decide."""
    total = 0
    for leaf in jax.tree.leaves(tree):
        total += leaf.size
    if total == 0:
        raise ValueError("a tree without numbers")
    return total
