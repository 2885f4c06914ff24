"""Random-walk Metropolis for a two-dimensional banana density."""
from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp


class ChainState(NamedTuple):
    position: jax.Array
    log_density: jax.Array


def log_banana(position):
    x, y = position
    return -0.5 * (x**2 / 4.0 + (y - 0.5 * x**2) ** 2)


def accept(key, current, proposed):
    log_ratio = proposed.log_density - current.log_density
    log_uniform = -jax.random.exponential(key)
    taken = log_uniform < log_ratio
    return jax.tree.map(lambda new, old: jnp.where(taken, new, old), proposed, current)


def kernel(width, state, key):
    move_key, accept_key = jax.random.split(key)
    position = state.position + width * jax.random.normal(move_key, state.position.shape)
    proposed = ChainState(position, log_banana(position))
    state = accept(accept_key, state, proposed)
    return state, state.position


def run_chain(key, start, width, steps):
    state = ChainState(start, log_banana(start))
    _, path = jax.lax.scan(partial(kernel, width), state, jax.random.split(key, steps))
    return path


def main():
    keys = jax.random.split(jax.random.key(14), 4)
    starts = jnp.zeros((4, 2))
    paths = jax.vmap(lambda key, start: run_chain(key, start, 0.8, 300))(keys, starts)
    print("mean", paths.mean(axis=(0, 1)))
    assert paths.shape == (4, 300, 2)


if __name__ == "__main__":
    main()
