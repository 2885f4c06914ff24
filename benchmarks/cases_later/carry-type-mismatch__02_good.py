"""after general knowledge; slug: carry-type-mismatch; corrected twin"""
import jax
import jax.numpy as jnp


def newton_step(state):
    x, _ = state
    delta = jnp.linalg.solve(jax.hessian(objective)(x), jax.grad(objective)(x))
    return x - delta, delta


def objective(x):
    return jnp.sum(jnp.cosh(x))


def minimise(x0, tol=1e-5):
    def unfinished(state):
        return jnp.linalg.norm(state[1]) > tol

    return jax.lax.while_loop(unfinished, newton_step, (x0, jnp.ones_like(x0)))[0]


def demonstrate():
    minimise(jnp.ones(2))
