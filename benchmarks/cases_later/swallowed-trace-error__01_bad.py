"""after general knowledge; slug: swallowed-trace-error"""
import jax
import jax.numpy as jnp


def solve_system(a, b):
    try:
        if jnp.abs(jnp.linalg.det(a)) < 1e-6:
            raise ValueError("singular")
        return jnp.linalg.solve(a, b)
    except Exception:  # expect: swallowed-trace-error
        return jnp.linalg.pinv(a) @ b


batched_solve = jax.jit(jax.vmap(solve_system))


def demonstrate():
    text = str(jax.make_jaxpr(batched_solve)(jnp.stack([jnp.eye(2)] * 3), jnp.ones((3, 2))))
    assert "svd" in text
