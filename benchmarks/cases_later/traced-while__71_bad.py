"""A small gradient-descent minimiser with an Armijo line search."""

from typing import Callable, NamedTuple

import jax
import jax.numpy as jnp


class State(NamedTuple):
    x: jax.Array
    value: jax.Array
    step_size: jax.Array


def backtrack(fun, x, value, grad, shrink=0.5, slope=1e-4):
    """Halve the step until the loss falls enough."""
    target_drop = slope * jnp.sum(grad**2)
    step = jnp.asarray(1.0)
    while fun(x - step * grad) > value - step * target_drop:  # expect: traced-while
        step = step * shrink
    return step


class Minimiser:
    def __init__(self, fun: Callable, tol: float = 1e-5):
        self.fun = fun
        self.tol = tol
        self._step = jax.jit(self._make_step())

    def _make_step(self):
        fun = self.fun

        def step(state):
            value, grad = jax.value_and_grad(fun)(state.x)
            size = backtrack(fun, state.x, value, grad)
            return State(state.x - size * grad, value, size)

        return step

    def run(self, x0, max_steps=200):
        state = State(x0, jnp.asarray(jnp.inf), jnp.asarray(1.0))
        for _ in range(max_steps):
            state = self._step(state)
        return state


def bowl(x):
    return jnp.sum(jnp.array([1.0, 5.0]) * (x - 3.0) ** 2)


def main():
    result = Minimiser(bowl).run(jnp.array([0.0, -2.0]))
    assert jnp.allclose(result.x, 3.0, atol=1e-2)
    print("minimum at", result.x)


if __name__ == "__main__":
    main()
