"""Atoms and their neighbours as a pytree."""
import dataclasses
import functools

import jax
import jax.numpy as jnp
import numpy as np


@functools.partial(
    jax.tree_util.register_dataclass,
    data_fields=["positions", "numbers", "senders", "receivers", "atoms"],
    meta_fields=["edges", "name"],
)
@dataclasses.dataclass(frozen=True)
class Graph:
    positions: jax.Array
    numbers: jax.Array
    senders: jax.Array
    receivers: jax.Array
    atoms: int
    edges: int
    name: str = ""


def distances(positions):
    offsets = positions[:, None] - positions[None, :]
    return jnp.sqrt((offsets**2).sum(-1) + 1e-9)


def capacity(positions, cutoff):
    """How many pairs lie within the cutoff."""
    near = distances(positions) < cutoff
    return int(near.sum()) - positions.shape[0]  # expect: concretization


def pairs(positions, cutoff, size):
    """`size` pairs; those left over point from atom 0 to itself."""
    near = (distances(positions) < cutoff) & ~jnp.eye(positions.shape[0], dtype=bool)
    return jnp.nonzero(near, size=size, fill_value=0)


def build(positions, numbers, cutoff, size=None, name=""):
    if size is None:
        size = capacity(positions, cutoff)
    senders, receivers = pairs(positions, cutoff, size)
    return Graph(positions, numbers, senders, receivers, positions.shape[0], size, name)


def host_pairs(positions, cutoff):
    """NumPy, for the data pipeline: any number of pairs."""
    gaps = np.linalg.norm(positions[:, None] - positions[None, :], axis=-1)
    np.fill_diagonal(gaps, np.inf)
    return np.nonzero(gaps < cutoff)
