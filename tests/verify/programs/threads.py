"""Threads that trace at the same time: each trace belongs to its own function and call."""

import threading

import jax
import jax.numpy as jnp
from counted import ran


# reasons: first
@jax.jit
def first(x):
    ran("first")
    return x + 1


# reasons: first
@jax.jit
def second(x):
    ran("second")
    return inner(x) * 2


# reasons: first
@jax.jit
def inner(x):
    ran("inner")
    return x - 1


# reasons: first shape shape shape
@jax.jit
def shared(x):
    ran("shared")
    return jnp.sum(x)


def local(x):
    # reasons: first new-function-object new-function-object new-function-object
    @jax.jit
    def made(y):
        ran("local.<locals>.made")
        return y * 3

    return made(x)


lock = threading.Lock()


def work(size):
    with lock:  # JAX may trace one function twice where two threads meet
        shared(jnp.ones(size))
    local(jnp.ones(3))


def alone(function):
    for _ in range(3):
        function(jnp.ones(2))


workers = [threading.Thread(target=work, args=(size,)) for size in (2, 3, 4, 5)]
workers += [threading.Thread(target=alone, args=(function,)) for function in (first, second)]
for worker in workers:
    worker.start()
for worker in workers:
    worker.join()
