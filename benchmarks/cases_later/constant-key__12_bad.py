"""after an exploration helper seeded at every call; slug: constant-key"""
import jax
import jax.numpy as jnp


class EpsilonGreedy:
    def __init__(self, epsilon, n_actions):
        self.epsilon = epsilon
        self.n_actions = n_actions

    def select(self, q_values):
        key = jax.random.key(0)  # expect: constant-key
        explore_key, action_key = jax.random.split(key)
        explore = jax.random.uniform(explore_key) < self.epsilon
        random_action = jax.random.randint(action_key, (), 0, self.n_actions)
        return jnp.where(explore, random_action, jnp.argmax(q_values))


def play(agent, q_table, steps):
    actions = []
    for t in range(steps):
        actions.append(agent.select(q_table[t % q_table.shape[0]]))
    return jnp.stack(actions)


def demonstrate():
    acts = play(EpsilonGreedy(1.0, 1000), jnp.zeros((2, 1000)), 5)
    assert len(set(acts.tolist())) == 1
