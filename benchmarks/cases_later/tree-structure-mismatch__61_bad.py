"""Decoupled weight decay on a Haiku-style parameter dictionary."""

from typing import NamedTuple

import jax
import jax.numpy as jnp


class Schedule(NamedTuple):
    learning_rate: float
    decay: float


def init_params(key):
    embed_key, out_key = jax.random.split(key)
    return {
        "embed": {"w": jax.random.normal(embed_key, (6, 8)), "b": jnp.zeros(8)},
        "out": {"w": jax.random.normal(out_key, (8, 2)), "b": jnp.zeros(2)},
    }


def decay_factors(decay):
    return {
        "embed": {"w": decay, "b": 0.0},
        "out": {"w": decay},
    }


def loss_fn(params, x, y):
    hidden = jnp.tanh(x @ params["embed"]["w"] + params["embed"]["b"])
    return jnp.mean((hidden @ params["out"]["w"] + params["out"]["b"] - y) ** 2)


def apply_decay(params, grads, schedule):
    factors = decay_factors(schedule.decay)

    def move(p, g, factor):
        return p - schedule.learning_rate * (g + factor * p)

    return jax.tree.map(move, params, grads, factors)  # expect: tree-structure-mismatch


@jax.jit
def step(params, schedule, x, y):
    loss, grads = jax.value_and_grad(loss_fn)(params, x, y)
    return apply_decay(params, grads, schedule), loss


def main(steps=50):
    model_key, data_key = jax.random.split(jax.random.key(101))
    params = init_params(model_key)
    x = jax.random.normal(data_key, (32, 6))
    y = jnp.stack([x[:, 0], x[:, 1] - x[:, 2]], axis=1)
    schedule = Schedule(learning_rate=0.05, decay=1e-4)
    loss = None
    for _ in range(steps):
        params, loss = step(params, schedule, x, y)
    return params, loss


if __name__ == "__main__":
    print("loss", main()[1])


def demonstrate():
    try:
        main(steps=1)
    except ValueError as err:
        assert "key" in str(err).lower()
    else:
        raise AssertionError("no error")
