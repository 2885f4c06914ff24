"""Evolution strategy for a small control policy, evaluated over a population."""

from typing import NamedTuple

import jax
import jax.numpy as jnp


class Policy(NamedTuple):
    gain: jax.Array
    bias: jax.Array


def act(policy, observation):
    return jnp.tanh(policy.gain @ observation + policy.bias)


def rollout(policy, start, horizon=40):
    def body(state, _):
        position, velocity = state
        velocity = 0.95 * velocity + 0.1 * act(policy, state)
        position = position + 0.1 * velocity
        return jnp.stack([position, velocity]), -(position**2)

    return jax.lax.scan(body, start, length=horizon)[1].sum()


def perturb(key, centre, count, sigma):
    gain_key, bias_key = jax.random.split(key)
    return Policy(
        centre.gain + sigma * jax.random.normal(gain_key, (count, 2)),
        centre.bias + sigma * jax.random.normal(bias_key, (count,)),
    )


class EvolutionStrategy:
    def __init__(self, count=32, sigma=0.3):
        self.count = count
        self.sigma = sigma

    def generation(self, centre, key):
        noise_key, start_key = jax.random.split(key)
        population = perturb(noise_key, centre, self.count, self.sigma)
        start = jax.random.normal(start_key, (2,))
        returns = jax.vmap(rollout, in_axes=(0, None, None))(population, start)  # expect: axes-mismatch
        weights = jax.nn.softmax(returns)
        return jax.tree.map(lambda leaf: jnp.tensordot(weights, leaf, axes=1), population)

    def run(self, centre, key, generations):
        def body(centre, generation_key):
            return self.generation(centre, generation_key), None

        return jax.lax.scan(body, centre, jax.random.split(key, generations))[0]


def main():
    best = EvolutionStrategy().run(Policy(jnp.zeros(2), jnp.zeros(())), jax.random.key(55), 30)
    print(best)
    return best


def demonstrate():
    try:
        main()
    except ValueError as err:
        assert "in_axes" in str(err)
    else:
        raise AssertionError("no error")
