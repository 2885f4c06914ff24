"""after general knowledge; slug: jit-method-self"""
import jax
import jax.numpy as jnp


class Pendulum:
    def __init__(self, length=1.0, damping=0.1):
        self.length = length
        self.damping = damping

    @jax.jit  # expect: jit-method-self
    def derivative(self, state):
        angle, speed = state
        return jnp.array([speed, -9.81 / self.length * jnp.sin(angle) - self.damping * speed])


def integrate(pendulum, state, dt=0.01, steps=3):
    for _ in range(steps):
        state = state + dt * pendulum.derivative(state)
    return state


def demonstrate():
    try:
        integrate(Pendulum(), jnp.array([0.1, 0.0]))
    except Exception as err:
        assert type(err).__name__ == 'TypeError', repr(err)
    else:
        raise AssertionError('expected TypeError')
