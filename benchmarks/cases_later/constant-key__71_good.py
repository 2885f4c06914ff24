"""A pendulum environment with a random start, and a random-shooting policy."""

from dataclasses import dataclass

import jax
import jax.numpy as jnp


@dataclass
class Pendulum:
    dt: float = 0.05
    max_torque: float = 2.0
    gravity: float = 9.81

    def reset(self, key):
        angle_key, speed_key = jax.random.split(key)
        angle = jax.random.uniform(angle_key, (), minval=-jnp.pi, maxval=jnp.pi)
        speed = jax.random.uniform(speed_key, (), minval=-1.0, maxval=1.0)
        return jnp.stack([angle, speed])

    def step(self, state, torque):
        angle, speed = state
        torque = jnp.clip(torque, -self.max_torque, self.max_torque)
        speed = speed + self.dt * (1.5 * self.gravity * jnp.sin(angle) + 3.0 * torque)
        angle = angle + self.dt * speed
        reward = -(angle**2) - 0.1 * speed**2
        return jnp.stack([angle, speed]), reward


def make_rollout(env):
    @jax.jit
    def rollout(state, gains):
        def advance(state, _):
            return env.step(state, -gains @ state)

        _, rewards = jax.lax.scan(advance, state, None, length=40)
        return rewards.sum()

    return rollout


def evaluate(key, env, gains, episodes):
    rollout = make_rollout(env)
    returns = []
    for _ in range(episodes):
        key, episode_key = jax.random.split(key)
        returns.append(rollout(env.reset(episode_key), gains))
    return jnp.stack(returns)


def main():
    env = Pendulum()
    returns = evaluate(jax.random.key(42), env, jnp.array([5.0, 1.0]), episodes=6)
    print("mean return:", returns.mean(), "spread:", returns.std())
    assert len(set(returns.tolist())) == 6


if __name__ == "__main__":
    main()
