"""Models by name: a prior, a likelihood, and a way to make data."""
import abc

import jax
import jax.numpy as jnp
import numpy as np

from . import densities

MODELS = {}


def register(name):
    def decorate(cls):
        if name in MODELS:
            raise KeyError(name)
        cls.name = name
        MODELS[name] = cls
        return cls

    return decorate


def build(name, **data):
    return MODELS[name](**data)


class Model(abc.ABC):
    def __init__(self, **data):
        self.data = {name: jnp.asarray(value, jnp.float32) for name, value in (data or self.example()).items()}

    @staticmethod
    @abc.abstractmethod
    def example(): ...

    @abc.abstractmethod
    def init(self, key): ...

    @abc.abstractmethod
    def log_prior(self, params): ...

    @abc.abstractmethod
    def log_likelihood(self, params): ...

    @abc.abstractmethod
    def simulate(self, key, params): ...

    def potential(self, params, temperature=1.0):
        return -(self.log_prior(params) + temperature * self.log_likelihood(params))


@register("eight_schools")
class EightSchools(Model):
    @staticmethod
    def example():
        effects = np.array([28.0, 8, -3, 7, -1, 1, 18, 12])
        return {"y": effects / 10, "sigma": np.array([15.0, 10, 16, 11, 9, 11, 10, 18]) / 10}

    def init(self, key):
        k_mu, k_tau, k_theta = jax.random.split(key, 3)
        n = self.data["y"].shape[0]
        return {
            "mu": jax.random.normal(k_mu),
            "log_tau": 0.1 * jax.random.normal(k_tau),
            "theta": jax.random.normal(k_theta, (n,)),
        }

    def log_prior(self, params):
        top = densities.normal(params["mu"], scale=5.0) + densities.half_cauchy(params["log_tau"])
        return top + densities.normal(params["theta"]).sum()

    @densities.masked_or(-1e6)
    def log_likelihood(self, params):
        mean = params["mu"] + jnp.exp(params["log_tau"]) * params["theta"]
        return densities.normal(self.data["y"], mean, self.data["sigma"]).sum()

    def simulate(self, key, params):
        mean = params["mu"] + jnp.exp(params["log_tau"]) * params["theta"]
        return mean + self.data["sigma"] * jax.random.normal(key, mean.shape)


@register("robust")
class RobustRegression(Model):
    degrees = 4

    @staticmethod
    def example():
        x = np.linspace(-1, 1, 12)
        return {"x": x, "y": 2 * x + np.where(np.arange(12) == 5, 6.0, 0.0)}

    def init(self, key):
        return {"slope": jax.random.normal(key), "offset": jnp.zeros(())}

    def log_prior(self, params):
        return sum(densities.normal(leaf, scale=3.0) for leaf in jax.tree.leaves(params))

    @densities.finite_or(-1e6)
    @densities.counted
    def log_likelihood(self, params):
        mean = params["offset"] + params["slope"] * self.data["x"]
        return densities.student(self.data["y"], self.degrees, mean, 0.5).sum()

    def simulate(self, key, params):
        mean = params["offset"] + params["slope"] * self.data["x"]
        return mean + 0.5 * jax.random.t(key, self.degrees, mean.shape)


@register("ranking")
class Ranking(Model):
    """Strengths of players from who beat whom; only differences count, so that their sum is zero."""

    @staticmethod
    def example():
        return {"wins": np.array([[0, 3, 2], [1, 0, 2], [0, 1, 0]])}

    def init(self, key):
        return {"free": 0.1 * jax.random.normal(key, (self.data["wins"].shape[0] - 1,))}

    def strengths(self, params):
        basis = densities.sum_to_zero(self.data["wins"].shape[0])
        return basis @ params["free"]

    def log_prior(self, params):
        return densities.normal(params["free"]).sum()

    def log_likelihood(self, params):
        s = self.strengths(params)
        return (self.data["wins"] * jax.nn.log_sigmoid(s[:, None] - s[None, :])).sum()

    def simulate(self, key, params):
        s = self.strengths(params)
        return jax.random.bernoulli(key, jax.nn.sigmoid(s[:, None] - s[None, :]))


def integrated(model, params, nodes=5):
    """The likelihood of EightSchools, mu integrated out by quadrature."""
    points, weights = densities.hermite_nodes(nodes)
    values = jax.vmap(lambda mu: model.log_likelihood({**params, "mu": mu}))(jnp.asarray(points))
    return jax.scipy.special.logsumexp(values, b=weights)
