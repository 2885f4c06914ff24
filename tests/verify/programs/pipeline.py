"""A data pipeline whose types flip: Python floats and arrays, images as bytes and as floats, counts of two widths."""

import jax
import jax.numpy as jnp
import numpy as np
from counted import ran

rng = np.random.default_rng(1)


# reasons: first weak-type
@jax.jit
def sgd(params, grads, lr):
    ran("sgd")
    return jax.tree_util.tree_map(lambda p, g: p - lr * g, params, grads)


# reasons: first
@jax.jit
def steady_sgd(params, grads, lr):
    ran("steady_sgd")
    return jax.tree_util.tree_map(lambda p, g: p - lr * g, params, grads)


# reasons: first dtype
@jax.jit
def normalise(images):
    ran("normalise")
    return (images.astype(jnp.float32) - 127.5) / 127.5


# reasons: first dtype weak-type
@jax.jit
def accumulate(total, value):
    ran("accumulate")
    return total + value


# reasons: first
@jax.jit
def embed(tokens, table):
    ran("embed")
    return table[tokens]


# reasons: first dtype dtype
@jax.jit
def half_or_full(x):
    ran("half_or_full")
    return jnp.sum(x * x)


# reasons: first rank
@jax.jit
def as_batch(x):
    ran("as_batch")
    return jnp.mean(x, axis=-1)


def schedule(step):
    """Warm-up in Python, then a decay that JAX computes: the two have other types."""
    return 0.1 * (step + 1) / 4 if step < 4 else 0.1 * jnp.exp(-0.1 * jnp.float32(step))


def loader(cached):
    """Images as they come from the disk, or from a cache that holds what was computed of them."""
    for _ in range(3):
        images = rng.integers(0, 256, size=(4, 6), dtype=np.uint8)
        yield images.astype(np.float32) if cached else images


def main():
    params, grads = {"w": jnp.ones(3)}, {"w": jnp.full(3, 0.1)}
    for step in range(8):
        params = sgd(params, grads, schedule(step))  # confirmed: weak-type-recompile
        params = steady_sgd(params, grads, jnp.asarray(schedule(step), jnp.float32))
    for cached in (False, True):
        for images in loader(cached):
            normalise(images)
    total = accumulate(jnp.float32(0), jnp.float32(1))
    total = accumulate(total, jnp.int32(2))  # confirmed: weak-type-recompile
    accumulate(total, 3)  # confirmed: weak-type-recompile
    table = jnp.ones((10, 4))
    for width in (np.int64, np.int32):  # without 64 bits, both are int32 to JAX
        embed(np.arange(5, dtype=width), table)
    for dtype in (jnp.float32, jnp.bfloat16, jnp.float16, jnp.bfloat16):
        half_or_full(jnp.ones(4, dtype))  # confirmed: weak-type-recompile
    as_batch(rng.normal(size=(2, 3)))
    as_batch(rng.normal(size=3))
    as_batch(rng.normal(size=(2, 3)).astype(np.float32))


main()
