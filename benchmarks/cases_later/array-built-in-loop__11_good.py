"""after trajectory grown by concatenate; slug: array-built-in-loop; corrected twin"""
import jax
import jax.numpy as jnp


@jax.jit
def leapfrog(q, p):
    p = p - 0.05 * q
    q = q + 0.1 * p
    return q, p - 0.05 * q


def trajectory(q, p, steps):
    path = []
    for _ in range(steps):
        q, p = leapfrog(q, p)
        path.append(q)
    return jnp.stack(path)


def demonstrate():
    assert trajectory(jnp.ones(2), jnp.zeros(2), 5).shape == (5, 2)
