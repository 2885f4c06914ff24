"""after general knowledge; slug: jit-method-self; corrected twin"""
import jax
import jax.numpy as jnp


class Pendulum:
    def __init__(self, length=1.0, damping=0.1):
        self.length = length
        self.damping = damping

    def derivative(self, state):
        angle, speed = state
        return jnp.array([speed, -9.81 / self.length * jnp.sin(angle) - self.damping * speed])


def integrate(pendulum, state, dt=0.01, steps=3):
    return jax.lax.fori_loop(0, steps, lambda _, s: s + dt * pendulum.derivative(s), state)


def demonstrate():
    integrate(Pendulum(), jnp.array([0.1, 0.0]))
