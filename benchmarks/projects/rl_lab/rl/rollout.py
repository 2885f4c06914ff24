import jax
import jax.numpy as jnp

from . import policy
from .base import Env


def collect(env: Env, params, key, length):
    state, rows = env.reset(key), []
    for _ in range(length):
        action = policy.act(params, state, key)  # expect: key-reuse-in-loop
        out = env.step(state, action)
        rows.append((state, action, out.reward))
        state = out.state
    return rows


def collect_fresh(env: Env, params, key, length):
    start, key = jax.random.split(key)
    state, rows = env.reset(start), []
    for key_t in jax.random.split(key, length):
        out = env.step(state, policy.act(params, state, key_t))
        rows.append((state, out.reward))
        state = out.state
        if out.done:
            break
    return rows


def returns(rewards, discount):
    def back(total, reward):
        total = reward + discount * total
        return total, total

    return jax.lax.scan(back, 0.0, rewards, reverse=True)[1]
