"""after general knowledge; slug: leaked-tracer; corrected twin"""
import jax
import jax.numpy as jnp
from jax import lax


def energy(x):
    return 0.5 * jnp.sum(x ** 2)


def leapfrog(position, momentum, eps):
    momentum = momentum - 0.5 * eps * jax.grad(energy)(position)
    position = position + eps * momentum
    momentum = momentum - 0.5 * eps * jax.grad(energy)(position)
    return position, momentum


def trajectory(position, momentum, eps, length):
    def body(pm, _):
        pm = leapfrog(*pm, eps)
        return pm, energy(pm[0])

    (position, momentum), history = lax.scan(body, (position, momentum), None, length=length)
    return position, history


def demonstrate():
    trajectory(jnp.ones(2), jnp.ones(2), 0.1, 5)
