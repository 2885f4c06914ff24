"""the slope at a point given as a whole number; slug: none"""
import jax
import jax.numpy as jnp


def rosenbrock(x, y):
    return (1 - x) ** 2 + 100 * (y - x**2) ** 2


def descend(steps):
    point = jnp.array([-1.0, 2.0])
    slope = jax.jit(jax.grad(lambda p: rosenbrock(p[0], p[1])))
    for _ in range(steps):
        point = point - 1e-3 * slope(point)
    return point


def demonstrate():
    descend(3)
