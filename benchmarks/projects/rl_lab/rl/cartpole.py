import jax.numpy as jnp
import numpy as np

from .base import Env


class CartPole(Env):
    def __init__(self, force=1.0, swing_up=False):
        self.force = force
        self.swing_up = swing_up

    def dynamics(self, state, action):
        push = self.force * (2 * action - 1)
        position, velocity = state
        velocity = velocity + 0.1 * (push - jnp.sin(position))
        return jnp.stack([position + 0.1 * velocity, velocity])

    def reward(self, state):
        if self.swing_up:
            return jnp.cos(state[0])
        if jnp.abs(state[0]) > 1.0:  # expect: traced-branch
            return jnp.float32(-1.0)
        return jnp.float32(0.0)


class NoisyCartPole(CartPole):
    def dynamics(self, state, action):
        moved = super().dynamics(state, action)
        return moved + 0.01 * np.random.randn(2)  # expect: host-rng-in-traced-code
