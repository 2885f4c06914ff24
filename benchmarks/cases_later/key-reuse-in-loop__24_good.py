"""after environment rollouts with an attribute key in a while loop; slug: key-reuse-in-loop; corrected twin"""
import jax
import jax.numpy as jnp


class Env:
    def __init__(self, seed):
        self.key = jax.random.key(seed)
        self.state = jnp.zeros(2)

    def step(self, action):
        self.state = self.state + action
        return self.state, bool(jnp.abs(self.state).sum() > 3.0)


class Agent:
    def __init__(self, seed):
        self.rng = jax.random.key(seed)

    def act(self, obs):
        self.rng, sub = jax.random.split(self.rng)
        return jax.random.normal(sub, obs.shape)


def rollout(env, agent, limit=50):
    obs, done, actions = env.state, False, []
    while not done and len(actions) < limit:
        action = agent.act(obs)
        actions.append(action)
        obs, done = env.step(action)
    return actions


def demonstrate():
    actions = rollout(Env(0), Agent(3))
    assert len(actions) == 1 or not jnp.array_equal(actions[0], actions[1])
