"""Keys whose two uses meet in one function, and keys that only look alike: what a run says of each finding."""

import jax
import jax.numpy as jnp
from counted import ran


def noise(key):
    return jax.random.normal(key, (2,))


# reasons: first
@jax.jit
def step(x, key):
    ran("step")
    return x + jax.random.normal(key, x.shape)


def twice(k):
    a = noise(k)
    return a + noise(k)  # confirmed: key-reuse `noise(k)` after `jax.random.normal(key, (2,))`


def beside(k):
    a = jax.random.normal(k, (2,))
    return a + noise(k)  # confirmed: key-reuse `noise(k)` after `jax.random.normal(k, (2,))`


def fresh(k):
    k, sub = jax.random.split(k)
    a = noise(sub)
    k, sub = jax.random.split(k)
    return a + noise(sub)  # look-alike: key-reuse `noise(sub)` after `jax.random.normal(key, (2,))`


# reasons: first
@jax.jit
def traced(k):
    ran("traced")
    a = noise(k)
    return a + noise(k)  # confirmed: key-reuse `noise(k)` after `jax.random.normal(key, (2,))`


# reasons: first
@jax.jit
def traced_fresh(k):
    ran("traced_fresh")
    one, two = jax.random.split(k)
    a = noise(one)
    return a + noise(two)  # look-alike: key-reuse `noise(two)` after `jax.random.normal(key, (2,))`


def main():
    k1, k2, k3, k4, k5, k6 = jax.random.split(jax.random.key(7), 6)
    twice(k1)
    beside(k2)
    fresh(k3)
    traced(k4)
    traced_fresh(k5)
    step(jnp.ones(2), k6)
    step(jnp.ones(2), k6)  # confirmed: key-reuse `step(jnp.ones(2), k6)` after `jax.random.normal(key, x.shape)`


main()
