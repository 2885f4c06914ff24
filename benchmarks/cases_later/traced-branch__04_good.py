"""after general knowledge; slug: traced-branch; corrected twin"""
import jax
import jax.numpy as jnp


def soft_threshold(x, lam):
    return jnp.sign(x) * jnp.maximum(jnp.abs(x) - lam, 0.0)


def ista(a, b, lam, step, n_iter):
    def gradient(x):
        return a.T @ (a @ x - b)

    def going(state):
        i, change, _ = state
        return (i < n_iter) & (change >= 1e-6)

    def iterate(state):
        i, _, x = state
        new = soft_threshold(x - step * gradient(x), step * lam)
        return i + 1, jnp.linalg.norm(new - x), new

    return jax.lax.while_loop(going, iterate, (0, jnp.inf, jnp.zeros(a.shape[1])))[2]


solve = jax.jit(ista, static_argnums=4)


def demonstrate():
    solve(jnp.eye(3), jnp.ones(3), 0.1, 0.5, 20)
