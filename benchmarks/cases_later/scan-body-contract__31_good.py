"""after a rollout that returns the new state alone; slug: scan-body-contract"""

import jax
import jax.numpy as jnp


class Pendulum:
    dt = 0.05

    def step(self, state, action):
        theta, omega = state
        omega = omega + self.dt * (action - jnp.sin(theta))
        return (theta + self.dt * omega, omega), theta


def rollout(env, actions):
    init = (jnp.float32(0.1), jnp.float32(0.0))
    final, path = jax.lax.scan(env.step, init, actions)
    return path


def main():
    return rollout(Pendulum(), jnp.zeros(7))


def demonstrate():
    assert main().shape == (7,)
