"""Functions that are not plain functions: methods, partials, lambdas, callable objects, decorated ones."""

import functools
from functools import partial

import jax
import jax.numpy as jnp
from counted import ran


class Model:
    def __init__(self):
        self.w = jnp.ones(3)

    # reasons: first new-function-object new-function-object
    def step(self, x):
        ran("Model.step")
        return x + self.w

    # reasons: first static-identity
    @partial(jax.jit, static_argnums=0)
    def jitted(self, x):
        ran("Model.jitted")
        return x * 2

    # reasons: first
    @staticmethod
    @jax.jit
    def static(x):
        ran("Model.static")
        return x


class Scale:
    def __init__(self, by):
        self.by = by

    # reasons: first new-function-object
    def __call__(self, x):
        ran("Scale.__call__")
        return x * self.by


def logged(function):
    @functools.wraps(function)
    def wrapper(*args):
        return function(*args)

    return wrapper


# reasons: first shape
@jax.jit
@logged
def decorated(x):
    ran("decorated")
    return x


# reasons: first new-function-object new-function-object
def power(n, x):
    ran("power")
    return x**n


model = Model()
for _ in range(3):
    jax.jit(model.step)(jnp.ones(3))  # confirmed: jit-in-loop
model.jitted(jnp.ones(2))
model.jitted(jnp.ones(2))
Model().jitted(jnp.ones(2))
Model.static(1.0)
scale = Scale(2)
for _ in range(3):
    jax.jit(scale)(1.0)  # look-alike: jit-in-loop
jax.jit(Scale(3))(1.0)
decorated(jnp.ones(2))
decorated(jnp.ones(3))
for _ in range(2):
    jax.jit(partial(power, 2))(3.0)  # confirmed: jit-in-loop
square = partial(power, 2)
kept = jax.jit(square)
kept(1.0)
kept(2.0)
doubled = [jax.jit(lambda x: x * 2) for _ in range(3)]
for function in doubled:
    function(1.0)
