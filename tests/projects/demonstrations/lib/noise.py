"""A module that others import; what it does when it is run by itself is a demonstration."""

import time

import jax
import jax.numpy as jnp


def add_noise(key, x):
    return x + jax.random.normal(key, x.shape)


def twice(key, x):
    return add_noise(key, x) + add_noise(key, x)  # expect: key-reuse


def show(key):
    first, second = jax.random.normal(key, (2,)), jax.random.uniform(key, (2,))
    print(first, second)
    return first * second


if __name__ == "__main__":
    key = jax.random.key(0)
    x = jax.random.normal(key, (500, 500))
    y = add_noise(key, x)
    step = jax.jit(lambda x: jnp.tanh(x @ x))
    step(x)
    start = time.perf_counter()
    y = step(x + y)
    print(time.perf_counter() - start, y.shape)
    print(show(key), twice(key, x).shape)
