"""a status text returned from a solver; slug: none"""
import jax
import jax.numpy as jnp


def status(tol):
    return "loose" if tol > 1e-3 else "tight"


def make_solver(tol):
    @jax.jit
    def solve(a, b):
        x = jnp.linalg.solve(a, b)
        return x, {"residual": jnp.linalg.norm(a @ x - b)}

    return solve


def main():
    return make_solver(1e-2)(jnp.eye(2), jnp.ones(2))


def demonstrate():
    main()
