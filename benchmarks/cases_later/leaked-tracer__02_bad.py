"""after general knowledge; slug: leaked-tracer"""
import jax
import jax.numpy as jnp
from jax import lax

_history = []


def energy(x):
    return 0.5 * jnp.sum(x ** 2)


def leapfrog(position, momentum, eps):
    momentum = momentum - 0.5 * eps * jax.grad(energy)(position)
    position = position + eps * momentum
    momentum = momentum - 0.5 * eps * jax.grad(energy)(position)
    _history.append(energy(position))  # expect: leaked-tracer
    return position, momentum


def trajectory(position, momentum, eps, length):
    _history.clear()
    position, momentum = lax.fori_loop(0, length, lambda _, pm: leapfrog(*pm, eps), (position, momentum))
    return position, jnp.stack(_history)


def demonstrate():
    try:
        trajectory(jnp.ones(2), jnp.ones(2), 0.1, 5)
    except Exception as err:
        assert type(err).__name__ == 'UnexpectedTracerError', repr(err)
    else:
        raise AssertionError('expected UnexpectedTracerError')
