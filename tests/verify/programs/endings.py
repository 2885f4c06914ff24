"""Traces that end with what JAX refuses, each caught but the last, which ends the program; and what changes a copy."""

import contextlib

import jax
import jax.numpy as jnp


@jax.jit
def named(x):
    return {"loss": jnp.sum(x), "name": "adam"}  # confirmed: non-array-result


@jax.jit
def not_run(x):
    return {"loss": jnp.sum(x), "name": "sgd"}  # not-reached: non-array-result


def single(c, x):
    return c + x  # confirmed: scan-body-contract


def errors(w):
    return w**2


@jax.jit
def scaled(batch):
    batch["x"] = batch["x"] / 255.0
    return jnp.sum(batch["x"])


@jax.jit
def extended(parts):
    parts.append(jnp.ones(2))
    return jnp.concatenate(parts)


@jax.jit
def popped(batch):
    y = batch.pop("y")
    return jnp.sum(batch["x"]) + y


@jax.jit
def counting(batch):
    batch["n"] = batch["n"] + 1
    return jnp.sum(batch["x"])


def first_rows(params):
    shapes = jax.tree.map(jnp.shape, params)
    return jax.tree.map(lambda shape: jnp.zeros(shape[0]), shapes)  # confirmed: shape-tuple-leaves


scaled({"x": jnp.ones(3)})
extended([jnp.ones(2)])
popped({"x": jnp.ones(3), "y": 1.0})
counting({"x": jnp.ones(3), "n": 0})
with contextlib.suppress(TypeError):
    named(jnp.ones(3))
with contextlib.suppress(TypeError):
    jax.lax.scan(single, 0.0, jnp.ones(3))
with contextlib.suppress(TypeError):
    first_rows({"w": jnp.ones((2, 3))})
jax.grad(errors)(jnp.ones(3))  # confirmed: grad-non-scalar
