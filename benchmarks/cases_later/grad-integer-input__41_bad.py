"""the slope at a point given as a whole number; slug: grad-integer-input"""
import jax
import jax.numpy as jnp


def rosenbrock(x, y):
    return (1 - x) ** 2 + 100 * (y - x**2) ** 2


def descend(steps):
    point = jnp.array([-1, 2])
    slope = jax.jit(jax.grad(lambda p: rosenbrock(p[0], p[1])))
    for _ in range(steps):
        point = point - 1e-3 * slope(point)  # expect: grad-integer-input
    return point


def demonstrate():
    try:
        descend(3)
    except Exception as err:
        assert type(err).__name__ == 'TypeError', repr(err)
    else:
        raise AssertionError('expected TypeError')
