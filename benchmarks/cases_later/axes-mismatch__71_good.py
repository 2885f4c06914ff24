"""WAIC of a Bayesian linear regression from posterior draws."""

import jax
import jax.numpy as jnp
import numpyro.distributions as dist


def draw_posterior(key, x, y, num_draws, noise):
    """Exact draws of the weights for known noise and a standard normal prior."""
    precision = x.T @ x / noise**2 + jnp.eye(x.shape[1])
    covariance = jnp.linalg.inv(precision)
    mean = covariance @ (x.T @ y) / noise**2
    weights = dist.MultivariateNormal(mean, covariance).sample(key, (num_draws,))
    return {"weights": weights, "noise": jnp.asarray(noise)}


def log_likelihood(draw, data):
    x, y = data
    return dist.Normal(x @ draw["weights"], draw["noise"]).log_prob(y)


class Criterion:
    def __init__(self, log_likelihood):
        self.log_likelihood = log_likelihood

    def pointwise(self, draws, data):
        draw_axes = {"weights": 0, "noise": None}
        return jax.vmap(self.log_likelihood, in_axes=(draw_axes, None))(draws, data)

    def waic(self, draws, data):
        table = self.pointwise(draws, data)
        fit = jax.scipy.special.logsumexp(table, axis=0) - jnp.log(table.shape[0])
        penalty = table.var(axis=0, ddof=1)
        return -2.0 * jnp.sum(fit - penalty)


def main():
    x_key, noise_key, posterior_key = jax.random.split(jax.random.key(21), 3)
    x = jax.random.normal(x_key, (50, 3))
    y = x @ jnp.array([1.0, -0.5, 0.0]) + 0.3 * jax.random.normal(noise_key, (50,))
    draws = draw_posterior(posterior_key, x, y, num_draws=200, noise=0.3)
    waic = Criterion(log_likelihood).waic(draws, (x, y))
    assert jnp.isfinite(waic)
    print("WAIC:", waic)


if __name__ == "__main__":
    main()
