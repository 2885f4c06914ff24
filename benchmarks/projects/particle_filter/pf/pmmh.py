"""Particle marginal Metropolis-Hastings: parameters, with a filter inside."""
import dataclasses

import jax
import jax.numpy as jnp

from .filters import BootstrapFilter
from .models import LinearGaussian


@dataclasses.dataclass
class Chain:
    config: object
    scale: float = 0.1
    visited: list = dataclasses.field(default_factory=list)

    def evidence(self, key, theta, observations):
        model = LinearGaussian(decay=theta[0], noise=0.5, scale=1.0)
        kernel = BootstrapFilter(model, self.config)
        start, rest = jax.random.split(key)
        keys = jax.random.split(rest, len(observations))
        final, _ = jax.lax.scan(kernel.step, kernel.init(start), (keys, observations))
        return final.log_likelihood

    def propose(self, key, theta):
        walk, inner = jax.random.split(key)
        return theta + self.scale * jax.random.normal(walk, theta.shape), inner

    def step(self, key, theta, value, observations):
        proposed, inner = self.propose(key, theta)
        new = self.evidence(inner, proposed, observations)
        accept = jnp.log(jax.random.uniform(key)) < new - value  # expect: parent-key-after-split
        return jnp.where(accept, proposed, theta), jnp.where(accept, new, value)

    def step_split(self, key, theta, value, observations):
        proposing, deciding = jax.random.split(key)
        proposed, inner = self.propose(proposing, theta)
        new = self.evidence(inner, proposed, observations)
        accept = jnp.log(jax.random.uniform(deciding)) < new - value
        return jnp.where(accept, proposed, theta), jnp.where(accept, new, value)

    def run(self, key, theta, observations, length):
        value = -jnp.inf
        for _ in range(length):
            key, sub = jax.random.split(key)
            step = jax.jit(lambda k, t, v: self.step_split(k, t, v, observations))  # expect: jit-in-loop
            theta, value = step(sub, theta, value)
            self.visited.append(theta)
        return jnp.stack(self.visited)

    def run_once(self, key, theta, observations, length):
        step = jax.jit(lambda k, t, v: self.step_split(k, t, v, observations))
        value = -jnp.inf
        for sub in jax.random.split(key, length):
            theta, value = step(sub, theta, value)
            self.visited.append(theta)
        return jnp.stack(self.visited)
