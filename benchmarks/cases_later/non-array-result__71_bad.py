"""Conjugate gradients for symmetric systems, with a small result record."""

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp


class Solution(NamedTuple):
    x: jax.Array
    residual: jax.Array
    iterations: jax.Array
    method: str


class _State(NamedTuple):
    x: jax.Array
    r: jax.Array
    p: jax.Array
    k: Any


def _advance(matvec, state):
    ap = matvec(state.p)
    rr = jnp.vdot(state.r, state.r)
    alpha = rr / jnp.vdot(state.p, ap)
    r = state.r - alpha * ap
    beta = jnp.vdot(r, r) / rr
    return _State(state.x + alpha * state.p, r, r + beta * state.p, state.k + 1)


def make_solver(max_iterations=50, tol=1e-5):
    @jax.jit
    def solve(matrix, rhs):
        def matvec(v):
            return matrix @ v

        def unfinished(state):
            return (jnp.linalg.norm(state.r) > tol) & (state.k < max_iterations)

        start = _State(jnp.zeros_like(rhs), rhs, rhs, 0)
        end = jax.lax.while_loop(unfinished, lambda s: _advance(matvec, s), start)
        residual = jnp.linalg.norm(end.r)
        return Solution(end.x, residual, end.k, "cg")  # expect: non-array-result

    return solve


def poisson(n):
    off = jnp.eye(n, k=1) + jnp.eye(n, k=-1)
    return 2.0 * jnp.eye(n) - off


def main():
    matrix = poisson(20)
    rhs = jnp.ones(20)
    solution = make_solver()(matrix, rhs)
    assert jnp.allclose(matrix @ solution.x, rhs, atol=1e-3)
    print("iterations:", solution.iterations, "residual:", solution.residual)


if __name__ == "__main__":
    main()
