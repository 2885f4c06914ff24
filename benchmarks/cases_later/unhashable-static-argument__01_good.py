"""after general knowledge; slug: unhashable-static-argument; corrected twin"""
import functools
import typing

import jax
import jax.numpy as jnp


class Config(typing.NamedTuple):
    layers: tuple
    floor: float


@functools.partial(jax.jit, static_argnames=("config",))
def forward(params, x, config):
    for name in config.layers:
        x = jnp.maximum(x @ params[name], config.floor)
    return x


def build_config(names):
    return Config(tuple(names), 0.0)


def predict(params, x):
    return forward(params, x, config=build_config(params))


def demonstrate():
    predict({'a': jnp.eye(2)}, jnp.ones(2))
