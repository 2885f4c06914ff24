"""A replay buffer that owns its random state, and a fitted Q iteration."""

from typing import NamedTuple

import jax
import jax.numpy as jnp


class Transitions(NamedTuple):
    state: jax.Array
    action: jax.Array
    reward: jax.Array
    next_state: jax.Array


class ReplayBuffer:
    def __init__(self, transitions, seed=0):
        self.data = transitions
        self.key = jax.random.key(seed)

    def __len__(self):
        return self.data.reward.shape[0]

    def sample(self, batch_size):
        self.key, index_key = jax.random.split(self.key)
        indices = jax.random.randint(index_key, (batch_size,), 0, len(self))
        return jax.tree.map(lambda column: column[indices], self.data), indices


@jax.jit
def q_update(table, batch, rate, discount):
    target = batch.reward + discount * table[batch.next_state].max(axis=-1)
    error = target - table[batch.state, batch.action]
    return table.at[batch.state, batch.action].add(rate * error)


def make_transitions(key, count, n_states, n_actions):
    state_key, action_key = jax.random.split(key)
    state = jax.random.randint(state_key, (count,), 0, n_states)
    action = jax.random.randint(action_key, (count,), 0, n_actions)
    next_state = (state + 2 * action - 1) % n_states
    return Transitions(state, action, (next_state == 0).astype(jnp.float32), next_state)


def fit(buffer, table, steps, batch_size=16):
    seen = []
    for _ in range(steps):
        batch, indices = buffer.sample(batch_size)
        table = q_update(table, batch, 0.2, 0.9)
        seen.append(indices)
    return table, jnp.stack(seen)


def main():
    transitions = make_transitions(jax.random.key(1), 400, n_states=10, n_actions=2)
    table, seen = fit(ReplayBuffer(transitions), jnp.zeros((10, 2)), steps=25)
    distinct = len(set(seen.ravel().tolist()))
    print("distinct transitions used:", distinct, "best value:", table.max())
    assert distinct > 150


if __name__ == "__main__":
    main()
