"""A policy is rolled out by `lax.scan`: the horizon is static, so that each new one is another program."""

from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp
from counted import ran
from jax import lax


class State(NamedTuple):
    position: jax.Array
    velocity: jax.Array


def environment(state, action):
    velocity = 0.9 * state.velocity + 0.1 * jnp.tanh(action)
    return State(state.position + velocity, velocity)


# reasons: first static-value static-value
@partial(jax.jit, static_argnames="horizon")
def rollout(params, state, key, horizon):
    ran("rollout")

    def step(carry, key):
        ran("rollout.<locals>.step")
        noise = 0.1 * jax.random.normal(key)
        carry = environment(carry, params["gain"] * carry.position + params["bias"] + noise)
        return carry, -(carry.position**2)

    state, rewards = lax.scan(step, state, jax.random.split(key, horizon))
    return state, jnp.sum(rewards)


# reasons: first
@jax.jit
def masked_rollout(params, state, key, horizon):
    ran("masked_rollout")

    def step(carry, inputs):
        ran("masked_rollout.<locals>.step")
        n, key = inputs
        moved = environment(carry, params["gain"] * carry.position + 0.1 * jax.random.normal(key))
        kept = jax.tree_util.tree_map(lambda new, old: jnp.where(n < horizon, new, old), moved, carry)
        return kept, jnp.where(n < horizon, -(kept.position**2), 0.0)

    state, rewards = lax.scan(step, state, (jnp.arange(16), jax.random.split(key, 16)))
    return state, jnp.sum(rewards)


# reasons: first
@jax.jit
def bounded(params, state, horizon):
    ran("bounded")

    def one(_, state):
        ran("bounded.<locals>.one")
        return environment(state, params["gain"] * state.position)

    return lax.fori_loop(0, horizon, one, state)


def objective(params, state, key):
    ran("objective")
    return -rollout(params, state, key, horizon=8)[1]  # look-alike: varying-static-argument


# reasons: first
@jax.jit
def improve(params, state, key):
    ran("improve")
    grads = jax.grad(objective)(params, state, key)
    return jax.tree_util.tree_map(lambda p, g: p - 0.01 * g, params, grads)


def main():
    params = {"gain": jnp.asarray(-0.5), "bias": jnp.asarray(0.0)}
    start = State(jnp.asarray(1.0), jnp.asarray(0.0))
    keys = jax.random.split(jax.random.PRNGKey(0), 6)
    for horizon, key in zip((4, 4, 8, 12, 4, 8), keys, strict=True):
        rollout(params, start, key, horizon=horizon)  # confirmed: varying-static-argument
        masked_rollout(params, start, key, jnp.asarray(horizon))
        bounded(params, start, jnp.asarray(horizon))
    for key in keys:
        params = improve(params, start, key)


main()
