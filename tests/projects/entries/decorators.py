"""The project's own ways to compile."""

import functools

import jax


def compiled(function):
    return functools.wraps(function)(jax.jit(function))


def compiled_with(*static):
    def decorate(function):
        return jax.jit(function, static_argnames=static)

    return decorate


def donating(function=None, *, static=()):
    if function is None:
        return functools.partial(donating, static=static)
    return jax.jit(function, static_argnames=static, donate_argnums=(0,))


class Compiled:
    """A callable object around a compiled function."""

    def __init__(self, function):
        self.function = jax.jit(function)
        self.calls = 0

    def __call__(self, *args):
        self.calls += 1
        return self.function(*args)


def run(function, *args):
    """A callable handed through a parameter."""
    return jax.jit(function)(*args)
