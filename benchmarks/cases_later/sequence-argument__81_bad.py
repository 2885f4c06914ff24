"""Posterior probabilities of polynomial models by their evidence."""
import dataclasses

import jax
import jax.numpy as jnp


@dataclasses.dataclass(frozen=True)
class PolynomialModel:
    degree: int
    prior_scale: float = 1.0
    noise: float = 0.1

    def features(self, x):
        return jnp.vander(x, self.degree + 1, increasing=True)

    def log_evidence(self, x, y):
        phi = self.features(x)
        covariance = self.prior_scale**2 * phi @ phi.T + self.noise**2 * jnp.eye(x.shape[0])
        return jax.scipy.stats.multivariate_normal.logpdf(y, jnp.zeros_like(y), covariance)


class Comparison:
    def __init__(self, models):
        self.models = models

    def evidences(self, x, y):
        return [model.log_evidence(x, y) for model in self.models]

    def probabilities(self, x, y):
        log_evidences = self.evidences(x, y)
        return jax.nn.softmax(log_evidences)  # expect: sequence-argument


def observe(key, x):
    return 0.5 - 1.5 * x + 0.8 * x**2 + 0.1 * jax.random.normal(key, x.shape)


def main():
    x = jnp.linspace(-1.0, 1.0, 15)
    y = observe(jax.random.key(5), x)
    comparison = Comparison([PolynomialModel(degree) for degree in range(4)])
    probabilities = comparison.probabilities(x, y)
    print("probabilities", probabilities)
    assert int(jnp.argmax(probabilities)) == 2


if __name__ == "__main__":
    main()
