import dataclasses

import jax
import jax.numpy as jnp


@jax.tree_util.register_dataclass
@dataclasses.dataclass
class Running:
    mean: jax.Array
    count: jax.Array


@jax.jit
def observe(stats, x):
    stats.count = stats.count + 1  # expect: argument-mutation
    return (x - stats.mean) / stats.count


@jax.jit
def observed(stats, x):
    count = stats.count + 1
    return Running(stats.mean + (x - stats.mean) / count, count)
