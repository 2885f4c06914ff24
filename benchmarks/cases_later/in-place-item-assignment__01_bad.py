"""after general knowledge; slug: in-place-item-assignment"""
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
        self.obs[slot] = obs  # expect: in-place-item-assignment
        self.reward[slot] = reward  # expect: in-place-item-assignment
        self.cursor += 1


def collect(policy, key, steps=3):
    buffer = ReplayBuffer(10, 2)
    obs = jax.random.normal(key, (2,))
    for _ in range(steps):
        buffer.add(obs, jnp.sum(policy * obs))
    return buffer


def demonstrate():
    try:
        collect(jnp.ones(2), jax.random.key(0))
    except Exception as err:
        assert type(err).__name__ == 'TypeError', repr(err)
        assert 'immutable' in str(err), str(err)
    else:
        raise AssertionError('expected TypeError')
