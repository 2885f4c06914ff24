"""Metrics, logs and checkpoints, outside compiled code."""
import functools
import pathlib

import jax
import jax.numpy as jnp
import numpy as np

from . import train
from .config import ModelConfig


class Log:
    def __init__(self):
        self.lines, self.best = [], None

    def __call__(self, state, value):
        if self.best is None or value < self.best:
            self.best = value
        self.lines.append(f"{int(state.adam.step)} {value:.4f}")

    def moved(self, old, new):
        gaps = jax.tree.map(lambda a, b: jnp.abs(a - b).max(), old, new)
        self.lines.append(f"moved {max(float(gap) for gap in jax.tree.leaves(gaps)):.2e}")


def batch_error(params, batch, config: ModelConfig):
    scored = jax.jit(functools.partial(train.loss, config=config, dtype=jnp.float32))  # expect: jit-in-function
    return scored(params, batch)


@functools.lru_cache
def scorer(config: ModelConfig):
    """One compiled function for each config."""
    return jax.jit(functools.partial(train.loss, config=config, dtype=jnp.float32))


def evaluate(params, batches, config: ModelConfig):
    return float(np.mean([batch_error(params, batch, config) for batch in batches]))


def evaluate_cached(params, batches, config: ModelConfig):
    return float(np.mean([scorer(config)(params, batch) for batch in batches]))


def save(path, params):
    leaves = jax.tree.leaves(params)
    np.savez(pathlib.Path(path), **{str(index): np.asarray(leaf) for index, leaf in enumerate(leaves)})


def load(path, like):
    with np.load(path) as stored:
        leaves = [jnp.asarray(stored[str(index)]) for index in range(len(stored.files))]
    return jax.tree.unflatten(jax.tree.structure(like), leaves)
