"""quadrature nodes given as a static argument; slug: array-as-static-argument"""
from functools import partial

import jax
import jax.numpy as jnp
import numpyro.distributions as dist


class Marginal:
    """Integrates a likelihood over a Gaussian prior."""

    def __init__(self, order):
        self.nodes = jnp.linspace(-4.0, 4.0, order)
        self.prior = dist.Normal(0.0, 1.0)

    @partial(jax.jit, static_argnums=(0,))
    def integrate(self, data, nodes):
        weights = jnp.exp(self.prior.log_prob(nodes))
        likelihood = jnp.exp(-0.5 * (data[:, None] - nodes) ** 2)
        return likelihood @ weights / weights.sum()

    def evidence(self, data):
        return jnp.log(self.integrate(data, self.nodes)).sum()


def main():
    return Marginal(33).evidence(jnp.array([0.3, -1.2, 0.8]))


def demonstrate():
    main()
