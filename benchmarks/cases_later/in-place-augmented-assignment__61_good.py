"""Tabular Q-learning on a ring of states, with eligibility-free one-step updates."""

from typing import NamedTuple

import jax
import jax.numpy as jnp


class AgentState(NamedTuple):
    q: jax.Array
    visits: jax.Array
    key: jax.Array


class RingWorld:
    def __init__(self, size: int):
        self.size = size

    def step(self, state, action):
        move = jnp.where(action == 0, -1, 1)
        nxt = (state + move) % self.size
        reward = jnp.where(nxt == 0, 1.0, 0.0)
        return nxt, reward


class QAgent:
    def __init__(self, env: RingWorld, alpha=0.5, gamma=0.9):
        self.env = env
        self.alpha = alpha
        self.gamma = gamma

    def init(self, seed: int) -> AgentState:
        shape = (self.env.size, 2)
        return AgentState(jnp.zeros(shape), jnp.zeros(shape, jnp.int32), jax.random.key(seed))

    def choose(self, agent: AgentState, state, epsilon):
        key, explore_key, action_key = jax.random.split(agent.key, 3)
        random_action = jax.random.randint(action_key, (), 0, 2)
        explore = jax.random.uniform(explore_key) < epsilon
        action = jnp.where(explore, random_action, agent.q[state].argmax())
        return agent._replace(key=key), action

    def learn(self, agent: AgentState, state, action, reward, nxt):
        target = reward + self.gamma * agent.q[nxt].max()
        td_error = target - agent.q[state, action]
        visits = agent.visits.at[state, action].add(1)
        q = agent.q.at[state, action].add(self.alpha * td_error)
        return agent._replace(q=q, visits=visits)

    def episode(self, agent: AgentState, start, length: int):
        def body(carry, _):
            agent, state = carry
            agent, action = self.choose(agent, state, 0.3)
            nxt, reward = self.env.step(state, action)
            agent = self.learn(agent, state, action, reward, nxt)
            return (agent, nxt), reward

        (agent, _), rewards = jax.lax.scan(body, (agent, start), length=length)
        return agent, rewards.sum()


def main():
    learner = QAgent(RingWorld(6))
    agent, total = learner.episode(learner.init(0), jnp.int32(3), length=200)
    print("reward", total, "greedy", agent.q.argmax(axis=1))


def demonstrate():
    learner = QAgent(RingWorld(4))
    agent, _ = learner.episode(learner.init(0), jnp.int32(2), length=200)
    assert agent.visits.sum() == 200 and agent.q.max() > 0.0
