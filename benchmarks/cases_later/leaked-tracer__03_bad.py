"""after general knowledge; slug: leaked-tracer"""
import jax
import jax.numpy as jnp

last_residual = None


def residual(x, a, b):
    global last_residual
    last_residual = a @ x - b  # expect: leaked-tracer
    return jnp.sum(last_residual ** 2)


def solve(a, b, steps=2):
    x = jnp.zeros(a.shape[1])
    slope = jax.jit(jax.grad(residual))
    for _ in range(steps):
        x = x - 0.1 * slope(x, a, b)
    return x, jnp.abs(last_residual).max()


def demonstrate():
    try:
        solve(jnp.eye(2), jnp.ones(2))
    except Exception as err:
        assert type(err).__name__ == 'UnexpectedTracerError', repr(err)
    else:
        raise AssertionError('expected UnexpectedTracerError')
