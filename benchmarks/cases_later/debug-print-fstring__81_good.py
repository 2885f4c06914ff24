"""Conjugate gradients for a Laplacian, with a progress report."""
import contextlib
import io

import jax
import jax.numpy as jnp


def laplacian(u):
    padded = jnp.pad(u, 1)
    return 2.0 * u - padded[:-2] - padded[2:]


def report(iteration, squared_residual):
    residual = jnp.sqrt(squared_residual)
    jax.debug.print("iteration {} residual {}", iteration, residual)


@jax.jit
def solve(b, tolerance):
    def unfinished(state):
        iteration, _, _, _, rs = state
        return (rs > tolerance**2) & (iteration < 100)

    def body(state):
        iteration, x, r, p, rs = state
        ap = laplacian(p)
        alpha = rs / jnp.vdot(p, ap)
        x, r = x + alpha * p, r - alpha * ap
        new_rs = jnp.vdot(r, r)
        report(iteration, new_rs)
        return iteration + 1, x, r, r + (new_rs / rs) * p, new_rs

    start = (0, jnp.zeros_like(b), b, b, jnp.vdot(b, b))
    iterations, x, *_ = jax.lax.while_loop(unfinished, body, start)
    return x, iterations


def main():
    captured = io.StringIO()
    with contextlib.redirect_stdout(captured):
        x, iterations = solve(jnp.ones(16), 1e-4)
        jax.block_until_ready(x)
        jax.effects_barrier()
    first = captured.getvalue().splitlines()[0]
    print("first line:", first, "iterations:", iterations)
    assert "Tracer" not in first


if __name__ == "__main__":
    main()
