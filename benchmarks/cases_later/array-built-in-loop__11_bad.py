"""after trajectory grown by concatenate; slug: array-built-in-loop"""
import jax
import jax.numpy as jnp


@jax.jit
def leapfrog(q, p):
    p = p - 0.05 * q
    q = q + 0.1 * p
    return q, p - 0.05 * q


def trajectory(q, p, steps):
    path = jnp.zeros((0, q.shape[0]))
    for _ in range(steps):
        q, p = leapfrog(q, p)
        path = jnp.concatenate([path, q[None]])  # expect: array-built-in-loop
    return path


def demonstrate():
    assert trajectory(jnp.ones(2), jnp.zeros(2), 5).shape == (5, 2)
