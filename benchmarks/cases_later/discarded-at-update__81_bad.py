"""Replay buffer that keeps transitions on the device."""
import jax
import jax.numpy as jnp


class ReplayBuffer:
    def __init__(self, capacity, observation_size):
        self.capacity = capacity
        self.cursor = 0
        self.filled = 0
        self.observations = jnp.zeros((capacity, observation_size))
        self.rewards = jnp.zeros(capacity)

    def _advance(self):
        slot = self.cursor
        self.cursor = (slot + 1) % self.capacity
        self.filled = min(self.filled + 1, self.capacity)
        return slot

    def add(self, observation, reward):
        slot = self._advance()
        self.observations.at[slot].set(observation)  # expect: discarded-at-update
        self.rewards = self.rewards.at[slot].set(reward)

    def sample(self, key, count):
        rows = jax.random.randint(key, (count,), 0, self.filled)
        return self.observations[rows], self.rewards[rows]


def environment_step(state, action):
    state = 0.9 * state + action
    return state, -jnp.sum(state**2)


def main():
    buffer = ReplayBuffer(capacity=4, observation_size=2)
    state, reward = environment_step(jnp.ones(2), 0.5)
    buffer.add(state, reward)
    state, reward = environment_step(state, -0.5)
    buffer.add(state, reward)
    observations, rewards = buffer.sample(jax.random.key(0), 3)
    print("observations", observations, "rewards", rewards)
    assert not jnp.any(observations)


if __name__ == "__main__":
    main()
