"""after a solver that compiles its step on each call; slug: bound-method-jit"""

import jax
import jax.numpy as jnp


class Solver:
    def __init__(self, matrix, relax=0.5):
        self.matrix = matrix
        self.relax = relax
        self.traces = 0
        self._compiled = jax.jit(self._step)

    def _step(self, x, b):
        self.traces += 1
        return x + self.relax * (b - self.matrix @ x)

    def step(self, x, b):
        return self._compiled(x, b)

    def solve(self, b, n):
        x = jnp.zeros_like(b)
        for _ in range(n):
            x = self.step(x, b)
        return x


def main():
    return Solver(jnp.eye(3)).solve(jnp.ones(3), 4)


def demonstrate():
    solver = Solver(jnp.eye(3))
    assert solver.solve(jnp.ones(3), 4).shape == (3,)
    assert solver.traces == 1
