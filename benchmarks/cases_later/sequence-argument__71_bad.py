"""Cross-entropy method on a noisy quadratic, with a tracker for the returns."""

import jax
import jax.numpy as jnp


class Tracker:
    """Keep the returns of all episodes and report on the recent ones."""

    def __init__(self, window=10):
        self.window = window
        self.returns = []

    def record(self, episode_return):
        self.returns.append(episode_return)

    def summary(self):
        recent = self.returns[-self.window :]
        return {"episodes": len(self.returns), "spread": jnp.std(recent)}  # expect: sequence-argument


@jax.jit
def episode(key, mean, scale):
    sample_key, noise_key = jax.random.split(key)
    candidates = mean + scale * jax.random.normal(sample_key, (64, mean.shape[0]))
    goal = jnp.array([0.5, -1.0, 2.0])
    noise = 0.1 * jax.random.normal(noise_key, (64,))
    returns = -jnp.sum((candidates - goal) ** 2, axis=1) + noise
    elite = candidates[jnp.argsort(returns)[-8:]]
    return elite.mean(axis=0), elite.std(axis=0) + 0.05, returns.mean()


def search(key, episodes):
    tracker = Tracker()
    mean, scale = jnp.zeros(3), jnp.ones(3)
    for i in range(episodes):
        mean, scale, average = episode(jax.random.fold_in(key, i), mean, scale)
        tracker.record(average)
    return mean, tracker


def main():
    mean, tracker = search(jax.random.key(17), episodes=25)
    summary = tracker.summary()
    assert summary["episodes"] == 25
    assert summary["spread"] < 1.0
    print("solution:", mean, "spread of returns:", summary["spread"])


if __name__ == "__main__":
    main()
