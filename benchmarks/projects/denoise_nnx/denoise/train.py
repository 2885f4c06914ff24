import jax
import jax.numpy as jnp
from flax import nnx

from . import loss

HISTORY = {"losses": 0}


@nnx.jit(static_argnames="schedule")
def step(model, schedule, x, key, rate=0.01):
    value, grads = nnx.value_and_grad(loss.objective_split)(model, schedule, x, key)
    params = nnx.state(model, nnx.Param)
    nnx.update(model, jax.tree.map(lambda p, g: p - rate * g, params, grads))
    HISTORY["losses"] += 1  # expect: captured-mutation
    return value


@jax.jit
def worst(errors):
    return loss.masked(errors, errors > errors.mean())


def fit(model, schedule, data, key, epochs=2):
    values = []
    for _ in range(epochs):
        key, sub = jax.random.split(key)
        values.append(step(model, schedule, data, sub))
    return jnp.stack(values)
