"""Gradient descent with backtracking, compiled as a whole."""
import contextlib
import dataclasses
import io
from functools import partial

import jax
import jax.numpy as jnp


def rosenbrock(x):
    return jnp.sum(100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1.0 - x[:-1]) ** 2)


@dataclasses.dataclass(frozen=True)
class Descent:
    shrink: float = 0.5
    verbose: bool = True

    def report(self, step_size, value):
        if self.verbose:
            print("step size", step_size, "value", value)  # expect: print-in-traced-code

    def search(self, x, value, gradient):
        def too_long(step_size):
            decrease = 1e-4 * step_size * jnp.vdot(gradient, gradient)
            return rosenbrock(x - step_size * gradient) > value - decrease

        return jax.lax.while_loop(too_long, lambda s: self.shrink * s, jnp.float32(1.0))

    @partial(jax.jit, static_argnums=0)
    def run(self, x, steps):
        def body(_, x):
            value, gradient = jax.value_and_grad(rosenbrock)(x)
            step_size = self.search(x, value, gradient)
            self.report(step_size, value)
            return x - step_size * gradient

        return jax.lax.fori_loop(0, steps, body, x)


def main():
    captured = io.StringIO()
    with contextlib.redirect_stdout(captured):
        x = jax.block_until_ready(Descent().run(jnp.zeros(3), 25))
        jax.effects_barrier()
    lines = captured.getvalue().splitlines()
    print("value", rosenbrock(x), "lines", len(lines), lines[0])
    assert len(lines) < 25 and "Tracer" in lines[0]


if __name__ == "__main__":
    main()
