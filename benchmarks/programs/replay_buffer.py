import jax.numpy as jnp


class ReplayBuffer:
    def __init__(self, capacity, obs_dim):
        self.obs = jnp.zeros((capacity, obs_dim))
        self.rewards = jnp.zeros(capacity)
        self.ptr = 0
        self.capacity = capacity

    def add(self, obs, reward):
        self.obs[self.ptr] = obs
        self.rewards[self.ptr] = reward
        self.ptr = (self.ptr + 1) % self.capacity


# --- what it should do
buffer = ReplayBuffer(3, 2)
buffer.add(jnp.array([1.0, 2.0]), 5.0)
assert buffer.obs[0].tolist() == [1.0, 2.0] and buffer.rewards.tolist() == [5.0, 0.0, 0.0]
