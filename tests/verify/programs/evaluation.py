"""Evaluation after each epoch: where the compiled function is made decides whether it is compiled once or each time."""

import functools

import jax
import jax.numpy as jnp
import numpy as np
from counted import ran

EPOCHS = 4
features = np.linspace(-1.0, 1.0, 64, dtype=np.float32).reshape(16, 4)
targets = features.sum(axis=1)


# reasons: first
def predict(params, x):
    ran("predict")
    return x @ params["w"] + params["b"]


def squared_error(params, x, y):
    ran("squared_error")
    return jnp.mean((x @ params["w"] + params["b"] - y) ** 2)


def make_evaluate(scale):
    # reasons: first new-function-object new-function-object new-function-object
    @jax.jit  # confirmed: jit-in-function `jax.jit`
    def evaluate(params, x, y):
        ran("make_evaluate.<locals>.evaluate")
        return scale * jnp.mean(jnp.abs(x @ params["w"] + params["b"] - y))

    return evaluate


@functools.cache
def make_cached(scale):
    # reasons: first
    @jax.jit  # look-alike: jit-in-function `jax.jit`
    def cached(params, x, y):
        ran("make_cached.<locals>.cached")
        return scale * jnp.mean(jnp.abs(x @ params["w"] + params["b"] - y))

    return cached


# reasons: first
@jax.jit
def train_step(params, x, y):
    ran("train_step")
    grads = jax.grad(squared_error)(params, x, y)
    return jax.tree_util.tree_map(lambda p, g: p - 0.1 * g, params, grads)


class Evaluator:
    """Compiles what it is given, once for each object."""

    def __init__(self, function):
        self.run = jax.jit(function)  # look-alike: jit-in-function

    def __call__(self, params):
        return self.run(params, features)


# reasons: first new-function-object new-function-object new-function-object
def residual(by, params, x):
    ran("residual")
    return by * (x @ params["w"] - targets)


def main():
    params = {"w": jnp.zeros(4), "b": jnp.zeros(())}
    for _ in range(EPOCHS):
        params = train_step(params, features, targets)
        make_evaluate(0.5)(params, features, targets)  # a new function each epoch
        make_cached(0.5)(params, features, targets)
        jax.jit(predict)(params, features)  # look-alike: jit-in-loop
        Evaluator(predict)(params)
        jax.jit(functools.partial(residual, 2.0))(params, features)  # confirmed: jit-in-loop
    assert np.isfinite(np.asarray(params["w"])).all()


main()
