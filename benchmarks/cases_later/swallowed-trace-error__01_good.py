"""after general knowledge; slug: swallowed-trace-error; corrected twin"""
import jax
import jax.numpy as jnp


def solve_system(a, b):
    singular = jnp.abs(jnp.linalg.det(a)) < 1e-6
    return jnp.where(singular, jnp.linalg.pinv(a) @ b, jnp.linalg.solve(a, b))


batched_solve = jax.jit(jax.vmap(solve_system))


def demonstrate():
    batched_solve(jnp.stack([jnp.eye(2)] * 3), jnp.ones((3, 2)))
