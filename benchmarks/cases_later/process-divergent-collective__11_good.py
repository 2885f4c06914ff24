"""after only the first process takes part in the average; slug: process-divergent-collective; corrected twin"""
import jax
import jax.numpy as jnp
from jax.experimental import multihost_utils

CALLS = []


def save(path, metrics):
    CALLS.append((path, metrics))


def log_metrics(step, metrics):
    gathered = multihost_utils.process_allgather(metrics)
    if jax.process_index() == 0:
        save(f"step{step}", gathered)


def train(steps):
    for step in range(steps):
        log_metrics(step, {"loss": jnp.float32(step)})


def demonstrate():
    joined = []
    plain, index = multihost_utils.process_allgather, jax.process_index
    multihost_utils.process_allgather = lambda x, **k: (joined.append(1), x)[1]
    jax.process_index = lambda *a: 1
    train(2)
    jax.process_index, multihost_utils.process_allgather = index, plain
    assert len(joined) == 2
