"""Bandit agent with a decaying exploration rate."""

import jax
import jax.numpy as jnp


class Exploration:
    def __init__(self, epsilon, decay):
        self.epsilon = epsilon
        self.decay = decay

    def anneal(self):
        self.epsilon = self.epsilon * self.decay


@jax.jit
def choose(key, q_values, epsilon):
    coin_key, arm_key = jax.random.split(key)
    explore = jax.random.bernoulli(coin_key, epsilon)
    arm = jax.random.randint(arm_key, (), 0, q_values.shape[0])
    return jnp.where(explore, arm, jnp.argmax(q_values)), explore


@jax.jit
def learn(key, q_values, arm, means):
    reward = means[arm] + 0.1 * jax.random.normal(key)
    return q_values.at[arm].add(0.1 * (reward - q_values[arm]))


def run(key, means, exploration: Exploration, steps):
    q_values = jnp.zeros_like(means)
    explored = []
    for i in range(steps):
        act_key, reward_key = jax.random.split(jax.random.fold_in(key, i))
        arm, explore = choose(act_key, q_values, exploration.epsilon)
        q_values = learn(reward_key, q_values, arm, means)
        explored.append(explore)
        exploration.anneal()
    return q_values, jnp.stack(explored)


def main():
    means = jnp.array([0.1, 0.9, 0.4])
    exploration = Exploration(epsilon=1.0, decay=0.8)
    q_values, explored = run(jax.random.key(7), means, exploration, steps=60)
    late = explored[-30:].mean()
    print("values:", q_values, "late exploration:", late, "epsilon:", exploration.epsilon)
    assert exploration.epsilon < 1e-3
    assert late < 0.1


if __name__ == "__main__":
    main()
