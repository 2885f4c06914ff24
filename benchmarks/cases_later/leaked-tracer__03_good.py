"""after general knowledge; slug: leaked-tracer; corrected twin"""
import jax
import jax.numpy as jnp


def residual(x, a, b):
    return jnp.sum((a @ x - b) ** 2)


def solve(a, b, steps=2):
    x = jnp.zeros(a.shape[1])
    slope = jax.jit(jax.grad(residual))
    for _ in range(steps):
        x = x - 0.1 * slope(x, a, b)
    return x, jnp.abs(a @ x - b).max()


def demonstrate():
    solve(jnp.eye(2), jnp.ones(2))
