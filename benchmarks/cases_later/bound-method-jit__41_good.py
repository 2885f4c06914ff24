"""an agent that compiles its policy for every action; slug: none"""
import jax
import jax.numpy as jnp


class Agent:
    def __init__(self, weights):
        self.weights = weights
        self._act = jax.jit(self.policy)

    def policy(self, obs):
        return jnp.tanh(obs @ self.weights)

    def act(self, obs):
        return self._act(obs)


def rollout(agent, steps):
    obs = jnp.ones(3)
    for _ in range(steps):
        obs = agent.act(obs)
    return obs


def demonstrate():
    rollout(Agent(jnp.eye(3)), 3)
