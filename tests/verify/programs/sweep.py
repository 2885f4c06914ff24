"""A sweep over hyper-parameters in static arguments: which of them are the same depends on `==` and `hash`."""

import enum
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp
from counted import ran


@dataclass(frozen=True)
class Config:
    rate: float = 0.1
    width: int = 4
    activation: str = "relu"


@dataclass(eq=False)
class LooseConfig:
    rate: float = 0.1
    width: int = 4


class Shape(NamedTuple):
    rows: int
    columns: int


class Mode(enum.Enum):
    TRAIN = 1
    EVAL = 2


# reasons: first static-value static-value
@partial(jax.jit, static_argnames="config")
def train(w, x, config):
    ran("train")
    act = getattr(jax.nn, config.activation)
    return w - config.rate * jnp.mean(act(x @ w))


# reasons: first static-identity static-identity
@partial(jax.jit, static_argnames="config")
def train_loose(w, x, config):
    ran("train_loose")
    return w - config.rate * jnp.mean(x @ w)


# reasons: first
@jax.jit
def train_traced(w, x, rate):
    ran("train_traced")
    return w - rate * jnp.mean(x @ w)


# reasons: first static-value
@partial(jax.jit, static_argnums=(0,))
def zeros(shape):
    ran("zeros")
    return jnp.zeros(shape)


# reasons: first static-value
@partial(jax.jit, static_argnames=("mode", "layers"))
def apply(w, mode, layers):
    ran("apply")
    for _ in range(len(layers)):  # look-alike: traced-iteration-count `len(layers)`
        w = w * (0.5 if mode is Mode.TRAIN else 1.0)  # look-alike: traced-branch `mode is Mode.TRAIN`
    return w


# reasons: first static-identity static-identity
@partial(jax.jit, static_argnums=1)
def with_callback(x, function):
    ran("with_callback")
    return function(x)


# reasons: first static-identity
@partial(jax.jit, static_argnums=1)
def with_named(x, function):
    ran("with_named")
    return function(x)


# reasons: first new-function-object
def objective(config, w):
    ran("objective")
    return jnp.sum(w**2) * config.rate


def main():
    w, x = jnp.ones(3), jnp.ones((2, 3))
    for rate in (0.1, 0.2, 0.1):
        train(w, x, Config(rate=rate))  # confirmed: varying-static-argument
        train_loose(w, x, LooseConfig(rate=rate))  # confirmed: varying-static-argument
        train_traced(w, x, rate)  # look-alike: varying-static-argument
    train(w, x, replace(Config(), rate=0.1))  # look-alike: varying-static-argument
    train(w, x, replace(Config(), activation="tanh"))
    zeros(Shape(2, 3))
    zeros(Shape(2, 3))
    zeros(Shape(3, 2))
    for mode in (Mode.TRAIN, Mode.EVAL, Mode.TRAIN):
        apply(w, mode, ("dense", "dense"))  # confirmed: varying-static-argument
    for _ in range(3):
        with_callback(w, lambda v: v * 2)
    for function in (jnp.sin, jnp.cos, jnp.sin):
        with_named(w, function)
    for rate in (0.1, 0.2):
        step = jax.jit(partial(objective, Config(rate=rate)))  # confirmed: jit-in-loop
        for _ in range(3):
            step(w)


main()
