"""Functions of JAX and of the standard library, compiled by the user: what is counted is named by the user's own words.

Beside each line that compiles stands what was compiled there, and why.
"""

import operator
from functools import partial

import counted  # noqa: F401 - counts JAX's log
import jax
import jax.numpy as jnp

sort = jax.jit(jnp.sort)  # jitted: jnp.sort: first shape shape
relu = jax.jit(jax.nn.relu)  # jitted: jax.nn.relu: first shape shape
slope = jax.jit(jax.grad(jnp.linalg.norm))  # jitted: jax.grad(jnp.linalg.norm): first shape shape
rows = jax.jit(jax.vmap(jnp.dot))  # jitted: jax.vmap(jnp.dot): first shape shape
adding = jax.jit(operator.add)  # jitted: operator.add: first weak-type
softmax = jax.jit(partial(jax.nn.softmax, axis=0))  # jitted: partial(jax.nn.softmax, axis=0): first rank
ordered = jax.jit(jnp.argsort, static_argnames="descending")  # jitted: jnp.argsort: first static-value
again = jax.jit(jnp.sort)  # jitted: jnp.sort:
inner = jax.jit(jnp.cumsum)  # jitted: jnp.cumsum: first dtype
nested = jax.jit(inner)  # jitted: inner (cumsum): first dtype


def compiled(function):
    return jax.jit(function)  # jitted: function (tanh): first shape


for size in (4, 3, 4, 5):
    sort(jnp.ones(size))
    relu(jnp.ones(size))
    slope(jnp.ones(size))
    rows(jnp.ones((size, 2)), jnp.ones((size, 2)))
for right in (jnp.ones(()), jnp.ones(()), 1.0):
    adding(jnp.ones(3), right)
softmax(jnp.ones(3))
softmax(jnp.ones((3, 2)))
for descending in (False, True, False):
    ordered(jnp.ones(3), descending=descending)
again(jnp.ones(4))  # JAX knows the program of `sort` already
for kind in (float, int, float):
    nested(jnp.ones(4, kind))
tangent = compiled(jnp.tanh)
for size in (4, 4, 2):
    tangent(jnp.ones(size))
