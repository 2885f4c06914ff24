"""after general knowledge; clean: static arguments that are hashable and stay the same; dataclass config"""
from dataclasses import dataclass
from functools import partial

import jax
import jax.numpy as jnp


@dataclass(frozen=True)
class Config:
    depth: int = 2
    activation: str = "tanh"
    sizes: tuple = (3, 3)


@partial(jax.jit, static_argnames=("config",), donate_argnames=("buffer",))
def forward(config, weights, x, buffer):
    act = {"tanh": jnp.tanh, "relu": jax.nn.relu}[config.activation]
    for d in range(config.depth):
        x = act(x @ weights[d])
    if config.sizes[-1] != x.shape[-1]:
        raise ValueError(f"wrong width {x.shape[-1]} for {config}")
    return x, buffer.at[0].set(x.sum())


def run(n):
    config = Config()
    weights = [jnp.eye(3)] * config.depth
    buffer = jnp.zeros(4)
    for i in range(n):
        x, buffer = forward(config, weights, jnp.full(3, float(i)), buffer)
    return buffer


def demonstrate():
    run(3)
