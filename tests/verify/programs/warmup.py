"""State whose structure grows: an optimizer that keeps more after warm-up, metrics that join, lists that lengthen."""

from typing import NamedTuple

import jax
import jax.numpy as jnp
from counted import ran


class OptState(NamedTuple):
    momentum: dict
    average: dict | None = None


# reasons: first pytree
@jax.jit
def update(params, state, grads):
    ran("update")
    momentum = jax.tree_util.tree_map(lambda m, g: 0.9 * m + g, state["momentum"], grads)
    new = {**state, "momentum": momentum}
    if "average" in state:  # look-alike: traced-branch `"average" in state`
        new["average"] = jax.tree_util.tree_map(lambda a, p: 0.99 * a + 0.01 * p, state["average"], params)
    return jax.tree_util.tree_map(lambda p, m: p - 0.1 * m, params, momentum), new


# reasons: first pytree
@jax.jit
def tupled_update(params, state, grads):
    ran("tupled_update")
    momentum = jax.tree_util.tree_map(lambda m, g: 0.9 * m + g, state.momentum, grads)
    average = state.average
    if average is not None:  # look-alike: traced-branch `average is not None`
        average = jax.tree_util.tree_map(lambda a, p: 0.99 * a + 0.01 * p, average, params)
    return jax.tree_util.tree_map(lambda p, m: p - 0.1 * m, params, momentum), OptState(momentum, average)


# reasons: first
@jax.jit
def whole_update(params, state, grads, averaging):
    ran("whole_update")
    momentum = jax.tree_util.tree_map(lambda m, g: 0.9 * m + g, state.momentum, grads)
    params = jax.tree_util.tree_map(lambda p, m: p - 0.1 * m, params, momentum)
    kept = jax.tree_util.tree_map(lambda a, p: jnp.where(averaging, 0.99 * a + 0.01 * p, p), state.average, params)
    return params, OptState(momentum, kept)


# reasons: first pytree pytree pytree
@jax.jit
def mean_of_losses(losses):
    ran("mean_of_losses")
    return sum(losses) / len(losses)


# reasons: first pytree
@jax.jit
def summary(metrics):
    ran("summary")
    return jax.tree_util.tree_map(jnp.mean, metrics)


# reasons: first
@jax.jit
def reordered(batch):
    ran("reordered")
    return batch["x"] * batch["y"]


# reasons: first pytree
@jax.jit
def replaced(params):
    ran("replaced")
    return jax.tree_util.tree_leaves(params)[0]


def main():
    params = {"dense": {"w": jnp.ones((3, 2)), "b": jnp.zeros(2)}}
    grads = jax.tree_util.tree_map(jnp.ones_like, params)
    zeros = jax.tree_util.tree_map(jnp.zeros_like, params)
    state, tupled, whole = {"momentum": zeros}, OptState(zeros), OptState(zeros, params)
    for step in range(6):
        if step == 3:
            state["average"] = params
            tupled = tupled._replace(average=params)
        params, state = update(params, state, grads)
        params, tupled = tupled_update(params, tupled, grads)
        params, whole = whole_update(params, whole, grads, step >= 3)
    losses = []
    for step in range(4):
        losses.append(jnp.asarray(1.0 / (step + 1)))
        mean_of_losses(losses)
        summary({"loss": losses[-1], **({"grad_norm": jnp.asarray(1.0)} if step >= 2 else {})})
    x, y = jnp.ones(2), jnp.ones(2)
    reordered({"x": x, "y": y})
    reordered({"y": y, "x": x})  # the order of a dictionary is no part of its structure
    replaced({"w": x})
    replaced(({"w": x},))


main()
