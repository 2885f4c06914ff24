"""Heavy-ball optimiser whose buffers are rebuilt from a checkpoint manifest."""

from typing import NamedTuple

import jax
import jax.numpy as jnp


class HeavyBall(NamedTuple):
    velocity: dict
    step: jax.Array


def init_params(key, width=8):
    in_key, out_key = jax.random.split(key)
    return {
        "encoder": {"w": jax.random.normal(in_key, (5, width)), "b": jnp.zeros((width,))},
        "head": {"w": jax.random.normal(out_key, (width, 1))},
    }


def manifest(params):
    return jax.tree.map(lambda leaf: leaf.shape, params)


def fresh_state(shapes) -> HeavyBall:
    velocity = jax.tree.map(
        lambda shape: jnp.zeros(shape), shapes, is_leaf=lambda node: isinstance(node, tuple)
    )
    return HeavyBall(velocity, jnp.zeros((), jnp.int32))


def loss_fn(params, x, y):
    hidden = jnp.tanh(x @ params["encoder"]["w"] + params["encoder"]["b"])
    return jnp.mean((hidden @ params["head"]["w"] - y) ** 2)


@jax.jit
def step(params, state, x, y):
    grads = jax.grad(loss_fn)(params, x, y)
    velocity = jax.tree.map(lambda g, v: 0.9 * v + g, grads, state.velocity)
    params = jax.tree.map(lambda p, v: p - 0.05 * v, params, velocity)
    return params, HeavyBall(velocity, state.step + 1)


def restart(params):
    return fresh_state(manifest(params))


def main():
    model_key, data_key = jax.random.split(jax.random.key(77))
    params = init_params(model_key)
    state = restart(params)
    x = jax.random.normal(data_key, (16, 5))
    y = x.sum(axis=1, keepdims=True)
    for _ in range(30):
        params, state = step(params, state, x, y)
    return loss_fn(params, x, y)


def demonstrate():
    params = init_params(jax.random.key(77))
    state = restart(params)
    count = len(jax.tree.leaves(state.velocity))
    assert count == len(jax.tree.leaves(params)) == 3
    assert main() < 5.0
