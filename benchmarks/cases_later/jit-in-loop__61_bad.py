"""Curriculum training: the difficulty of the task grows from stage to stage."""

from functools import partial

import jax
import jax.numpy as jnp
import optax


def init_params(key, sizes=(1, 32, 1)):
    keys = jax.random.split(key, len(sizes) - 1)
    return [
        {"w": jax.random.normal(k, (n_in, n_out)) / jnp.sqrt(n_in), "b": jnp.zeros(n_out)}
        for k, n_in, n_out in zip(keys, sizes[:-1], sizes[1:])
    ]


def forward(params, x):
    *hidden, last = params
    for layer in hidden:
        x = jnp.tanh(x @ layer["w"] + layer["b"])
    return x @ last["w"] + last["b"]


def loss_fn(params, x, frequency):
    return jnp.mean((forward(params, x) - jnp.sin(frequency * x)) ** 2)


class Curriculum:
    def __init__(self, stages, learning_rate=1e-2):
        self.stages = stages
        self.optimizer = optax.adam(learning_rate)

    def _step(self, params, opt_state, x, frequency):
        loss, grads = jax.value_and_grad(loss_fn)(params, x, frequency)
        updates, opt_state = self.optimizer.update(grads, opt_state, params)
        return optax.apply_updates(params, updates), opt_state, loss

    def run(self, params, x, steps_per_stage=20):
        opt_state = self.optimizer.init(params)
        losses = []
        for frequency in self.stages:
            step = jax.jit(partial(self._step, frequency=frequency))  # expect: jit-in-loop
            for _ in range(steps_per_stage):
                params, opt_state, loss = step(params, opt_state, x)
            losses.append(loss)
        return params, losses


def main():
    x = jnp.linspace(-1.0, 1.0, 64)[:, None]
    curriculum = Curriculum(stages=(1.0, 2.0, 3.0, 4.0))
    _, losses = curriculum.run(init_params(jax.random.key(12)), x)
    print(losses)


def demonstrate():
    traces = []
    original = forward
    globals()["forward"] = lambda params, x: traces.append(1) or original(params, x)
    x = jnp.linspace(-1.0, 1.0, 8)[:, None]
    Curriculum(stages=(1.0, 2.0, 3.0)).run(init_params(jax.random.key(12)), x, 2)
    globals()["forward"] = original
    assert len(traces) == 3, len(traces)
