"""Sequential Monte Carlo from the prior to the posterior."""
import functools

import jax
import jax.numpy as jnp

from . import kernels, tree
from .config import SMCConfig

RESAMPLERS = {}


def resampler(fn):
    RESAMPLERS[fn.__name__] = fn
    return fn


@resampler
def systematic(key, weights):
    n = weights.shape[0]
    points = (jnp.arange(n) + jax.random.uniform(key)) / n
    return jnp.minimum(jnp.searchsorted(jnp.cumsum(weights), points), n - 1)


@resampler
def multinomial(key, weights):
    return jax.random.categorical(key, jnp.log(weights), shape=weights.shape)


def diversity(ancestors):
    """The share of particles that live on."""
    return jnp.unique(ancestors).size / ancestors.size  # expect: data-dependent-shape


def survivors(ancestors):
    """The same number, where shapes must be known."""
    hit = jnp.zeros(ancestors.shape[0], bool).at[ancestors].set(True)
    return hit.mean()


def effective(log_weights):
    weights = jax.nn.softmax(log_weights)
    return 1 / (weights**2).sum()


@functools.partial(jax.jit, static_argnames="rounds")
def next_temperature(likelihoods, temperature, goal, rounds=20):
    """The highest temperature at which `goal` particles are still effective, by bisection."""

    def halve(_, ends):
        low, high = ends
        middle = 0.5 * (low + high)
        enough = effective((middle - temperature) * likelihoods) > goal
        return jnp.where(enough, middle, low), jnp.where(enough, high, middle)

    whole = effective((1.0 - temperature) * likelihoods) > goal
    low, _ = jax.lax.fori_loop(0, rounds, halve, (jnp.float32(temperature), jnp.float32(1.0)))
    return jnp.where(whole, 1.0, low)


class SMC:
    def __init__(self, model, kernel, config: SMCConfig):
        self.model, self.kernel, self.config = model, kernel, config
        self._select = jax.jit(self.select)
        self.temperatures = []

    def select(self, key, positions, likelihoods, change):
        """Particles by weight; what `config` asks for is decided while tracing."""
        weights = jax.nn.softmax(change * likelihoods)
        ancestors = RESAMPLERS[self.config.resampling](key, weights)
        positions = tree.take(positions, ancestors)
        if self.config.roughening:
            positions = kernels.roughen(key, positions, self.config.roughening)  # expect: key-reuse
        share = diversity(ancestors) if self.config.track_diversity else survivors(ancestors)
        return positions, share

    def run(self, key, limit=40):
        k_init, key = jax.random.split(key)
        positions = jax.vmap(self.model.init)(jax.random.split(k_init, self.config.particles))
        likelihood = jax.jit(jax.vmap(self.model.log_likelihood))
        goal = self.config.efficiency * self.config.particles
        size, moves = self.config.step_size, self.config.moves
        temperature, shares = 0.0, []
        while temperature < 1.0 and len(shares) < limit:
            key, k_select, k_move = jax.random.split(key, 3)
            likelihoods = likelihood(positions)
            new = float(next_temperature(likelihoods, temperature, goal))
            positions, share = self._select(k_select, positions, likelihoods, new - temperature)
            temperature = new
            self.temperatures.append(temperature)
            shares.append(float(share))
            positions = kernels.mutate(self.kernel, k_move, positions, size, temperature=temperature, moves=moves)  # expect: varying-static-argument
        return positions, shares
