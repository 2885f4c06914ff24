"""One function called in other ways: by name, by position, with and without defaults, nested, with other containers."""

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
from counted import ran


# reasons: first kwargs kwargs
@jax.jit
def attend(query, key, value):
    ran("attend")
    return jax.nn.softmax(query @ key.T) @ value


# reasons: first arity
@jax.jit
def dropout(x, rate=0.1):
    ran("dropout")
    return x * (1 - rate)


# reasons: first
@partial(jax.jit, static_argnames="axis")
def norm(x, axis=-1):
    ran("norm")
    return x / jnp.linalg.norm(x, axis=axis, keepdims=True)


# reasons: first arity static-value
@partial(jax.jit, static_argnames=("causal", "window"))
def mask(scores, causal=True, window=None):
    ran("mask")
    size = scores.shape[0]
    kept = jnp.tril(jnp.ones((size, size), bool)) if causal else jnp.ones((size, size), bool)
    return jnp.where(kept if window is None else kept & (jnp.arange(size) < window), scores, -jnp.inf)


# reasons: first arity
@jax.jit
def total(*parts):
    ran("total")
    return sum(jnp.sum(part) for part in parts)


# reasons: first arity
@jax.jit
def merged(**parts):
    ran("merged")
    return sum(parts.values())


# reasons: first shape
@jax.jit
def inner(x):
    ran("inner")
    return x * 2


# reasons: first shape
@jax.jit
def outer(x):
    ran("outer")
    return inner(x) + inner(x)


# reasons: first
@jax.jit
def from_numpy(x):
    ran("from_numpy")
    return x + 1


# reasons: first pytree
@jax.jit
def from_containers(pair):
    ran("from_containers")
    return pair[0] + pair[1]


def main():
    x = jnp.ones((3, 3))
    for _ in range(3):
        attend(x, x, x)
        attend(x, x, value=x)
        attend(value=x, key=x, query=x)
        attend(query=x, key=x, value=x)  # the order of keywords is nothing to JAX
    for rate in (0.1, 0.2):
        dropout(x, rate)
        dropout(x)
    norm(x)
    norm(x)
    mask(x)
    mask(x)
    mask(x, window=2)
    mask(x, window=3)
    total(x, x)
    total(x, x, x)
    total(x, x)
    merged(a=x, b=x)
    merged(b=x, a=x)
    merged(a=x, b=x, c=x)
    outer(x)
    outer(jnp.ones((4, 3)))
    outer(x)
    from_numpy(np.ones(3, np.float32))
    from_numpy(jnp.ones(3))
    from_numpy(np.ones(3))  # without 64 bits, float64 is float32 to JAX
    from_containers((x, x))
    from_containers([x, x])


main()
