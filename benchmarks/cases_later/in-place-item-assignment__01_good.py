"""after general knowledge; slug: in-place-item-assignment; corrected twin"""
import jax
import jax.numpy as jnp


class ReplayBuffer:
    def __init__(self, capacity, obs_dim):
        self.obs = jnp.zeros((capacity, obs_dim))
        self.reward = jnp.zeros(capacity)
        self.cursor = 0
        self.capacity = capacity

    def add(self, obs, reward):
        slot = self.cursor % self.capacity
        self.obs = self.obs.at[slot].set(obs)
        self.reward = self.reward.at[slot].set(reward)
        self.cursor += 1


def collect(policy, key, steps=3):
    buffer = ReplayBuffer(10, 2)
    obs = jax.random.normal(key, (2,))
    for _ in range(steps):
        buffer.add(obs, jnp.sum(policy * obs))
    return buffer


def demonstrate():
    collect(jnp.ones(2), jax.random.key(0))
