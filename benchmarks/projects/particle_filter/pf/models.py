"""State-space models: how a particle moves, and how likely an observation is."""
import abc

import jax
import jax.numpy as jnp

MODELS = {}


def register(name):
    """Make a class available under a name."""

    def add(cls):
        MODELS[name] = cls
        return cls

    return add


def build(name, **parameters):
    if name not in MODELS:
        raise ValueError(f"no model {name!r}; there are {sorted(MODELS)}")
    return MODELS[name](**parameters)


class StateSpaceModel(abc.ABC):
    """One particle at a time; `propagate` and `weigh` take all of them."""

    dimension = 1

    @abc.abstractmethod
    def initial(self, key): ...

    @abc.abstractmethod
    def transition(self, key, x): ...

    @abc.abstractmethod
    def log_likelihood(self, x, y): ...

    def propagate(self, key, particles):
        keys = jax.random.split(key, particles.shape[0])
        return jax.vmap(self.transition)(keys, particles)

    def weigh(self, particles, y):
        return jax.vmap(self.log_likelihood, in_axes=(0, None))(particles, y)

    def simulate(self, key, steps):
        start, rest = jax.random.split(key)

        def one(x, key):
            x = self.transition(key, x)
            return x, x

        return jax.lax.scan(one, self.initial(start), jax.random.split(rest, steps))[1]


@register("linear")
class LinearGaussian(StateSpaceModel):
    def __init__(self, decay=0.9, noise=0.5, scale=1.0):
        self.decay, self.noise, self.scale = decay, noise, scale

    def initial(self, key):
        return jax.random.normal(key, (self.dimension,))

    def transition(self, key, x):
        if self.noise > 0:
            return self.decay * x + self.noise * jax.random.normal(key, x.shape)
        return self.decay * x

    def log_likelihood(self, x, y):
        return -0.5 * jnp.sum(((y - x) / self.scale) ** 2)


@register("volatility")
class StochasticVolatility(StateSpaceModel):
    """Returns whose log-variance walks."""

    def __init__(self, mu=-1.0, phi=0.95, sigma=0.2, clamp=8.0):
        self.mu, self.phi, self.sigma, self.clamp = mu, phi, sigma, clamp

    def initial(self, key):
        return self.mu + self.sigma * jax.random.normal(key, (1,))

    def transition(self, key, x):
        moved = self.mu + self.phi * (x - self.mu) + self.sigma * jax.random.normal(key, x.shape)
        if jnp.abs(moved[0]) > self.clamp:  # expect: traced-branch
            moved = jnp.sign(moved) * self.clamp
        return moved

    def log_likelihood(self, x, y):
        return -0.5 * (jnp.sum(y**2 * jnp.exp(-x)) + jnp.sum(x))


@register("missing")
class PartlyObserved(LinearGaussian):
    """Observations of which some are not there (NaN)."""

    dimension = 3

    def log_likelihood(self, x, y):
        seen = ~jnp.isnan(y)
        return -0.5 * jnp.sum((y[seen] - x[seen]) ** 2)  # expect: boolean-mask-index


@register("masked")
class Masked(LinearGaussian):
    dimension = 3

    def log_likelihood(self, x, y):
        seen = ~jnp.isnan(y)
        return -0.5 * jnp.sum(jnp.where(seen, jnp.where(seen, y, 0.0) - x, 0.0) ** 2)
