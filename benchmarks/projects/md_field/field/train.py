"""One compiled step, and the loop around it."""
import functools
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp

from . import graph as graphs, model, optim
from .config import ModelConfig, TrainConfig


class TrainState(NamedTuple):
    params: Any
    adam: optim.AdamState


def create(key, config: ModelConfig):
    params = model.init_split(key, config)
    return TrainState(params, optim.adam_init(params))


def loss(params, batch, config, dtype):
    def one(positions, numbers, energy):
        size = positions.shape[0] * (positions.shape[0] - 1)
        built = graphs.build(positions, numbers, config.cutoff, size)
        return (model.energy(params, built, config, dtype) - energy) ** 2

    return jax.vmap(one)(batch["positions"], batch["numbers"], batch["energy"]).mean()


def make_step(config: ModelConfig, train: TrainConfig, average=None):
    """step(state, batch) -> state, loss; the state is donated."""
    schedule = optim.SCHEDULES[train.schedule](train.rate, train.warmup, train.steps)
    value_and_grad = jax.value_and_grad(functools.partial(loss, config=config, dtype=jnp.dtype(train.compute)))

    def step(state, batch):
        value, grads = value_and_grad(state.params, batch)
        changes, adam = optim.adam(grads, state.adam, schedule(state.adam.step))
        params = jax.tree.map(jnp.add, state.params, changes)
        if average is not None:
            average.update(params)
        return TrainState(params, adam), value

    return jax.jit(step, donate_argnums=0)


def fit(state, batches, step, hooks=(), average=None):
    losses = []
    for batch in batches:
        state, value = step(state, batch)
        losses.append(float(value))
        if average is not None:
            average.update(state.params)
        for hook in hooks:
            hook(state, losses[-1])
    return state, losses


def fit_logged(state, batches, step, log):
    """Tells `log` how far the weights moved."""
    for batch in batches:
        new, value = step(state, batch)
        log.moved(state.params, new.params)  # expect: use-after-donate
        state = new
    return state


def fit_copied(state, batches, step, log):
    """The same, with a copy made before."""
    for batch in batches:
        old = jax.tree.map(jnp.copy, state.params)
        state, value = step(state, batch)
        log.moved(old, state.params)
    return state
