"""Conjugate-gradient solver that reports how it finished."""

from functools import partial

import jax
import jax.numpy as jnp


def make_operator(size, shift):
    def apply(vector):
        padded = jnp.pad(vector, 1)
        return (2.0 + shift) * vector - padded[2:] - padded[:-2]

    return apply


def cg_iteration(_, carry, operator):
    x, residual, direction, rho = carry
    image = operator(direction)
    alpha = rho / jnp.maximum(jnp.vdot(direction, image), 1e-20)
    x = x + alpha * direction
    residual = residual - alpha * image
    new_rho = jnp.vdot(residual, residual)
    direction = residual + new_rho / jnp.maximum(rho, 1e-20) * direction
    return x, residual, direction, new_rho


def build_solver(size, shift, iterations):
    operator = make_operator(size, shift)
    body = partial(cg_iteration, operator=operator)

    @jax.jit
    def solve(rhs):
        start = (jnp.zeros_like(rhs), rhs, rhs, jnp.vdot(rhs, rhs))
        x, _, _, rho = jax.lax.fori_loop(0, iterations, body, start)
        return {"solution": x, "residual": jnp.sqrt(rho)}

    return solve, operator


def main():
    solve, operator = build_solver(size=64, shift=0.5, iterations=40)
    rhs = jax.random.normal(jax.random.key(70), (64,))
    result = solve(rhs)
    print("residual", result["residual"])


if __name__ == "__main__":
    main()


def demonstrate():
    solve, operator = build_solver(size=16, shift=0.5, iterations=20)
    rhs = jnp.ones(16)
    result = solve(rhs)
    assert jnp.allclose(operator(result["solution"]), rhs, atol=1e-3)
