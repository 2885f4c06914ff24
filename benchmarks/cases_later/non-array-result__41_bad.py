"""a status text returned from a solver; slug: non-array-result"""
import jax
import jax.numpy as jnp


def status(tol):
    return "loose" if tol > 1e-3 else "tight"


def make_solver(tol):
    @jax.jit
    def solve(a, b):
        x = jnp.linalg.solve(a, b)
        return x, {"residual": jnp.linalg.norm(a @ x - b), "mode": status(tol)}  # expect: non-array-result

    return solve


def main():
    return make_solver(1e-2)(jnp.eye(2), jnp.ones(2))


def demonstrate():
    try:
        main()
    except Exception as err:
        assert type(err).__name__ == 'TypeError', repr(err)
    else:
        raise AssertionError('expected TypeError')
