"""after posterior and predictive from one key; slug: key-reuse; corrected twin"""
import jax
import jax.numpy as jnp
import numpyro
import numpyro.distributions as dist
from numpyro.infer import MCMC, NUTS, Predictive


def model(x, y=None):
    slope = numpyro.sample("slope", dist.Normal(0.0, 1.0))
    numpyro.sample("y", dist.Normal(slope * x, 0.5), obs=y)


def fit_and_check(x, y, seed=0):
    rng_key = jax.random.PRNGKey(seed)
    rng_key, prior_key = jax.random.split(rng_key)
    mcmc = MCMC(NUTS(model), num_warmup=20, num_samples=20, progress_bar=False)
    mcmc.run(rng_key, x, y)
    prior = Predictive(model, num_samples=10)(prior_key, x)
    return mcmc.get_samples(), prior


def demonstrate():
    seen = []
    plain = jax.random.split
    def spy(key, *a, **k):
        if not isinstance(key, jax.core.Tracer):
            seen.append(tuple(map(int, jnp.ravel(jax.random.key_data(key)))))
        return plain(key, *a, **k)
    x = jnp.linspace(0, 1, 5)
    _, prior = fit_and_check(x, 2 * x)
    again = Predictive(model, num_samples=10)(jax.random.PRNGKey(0), x)
    same = jnp.array_equal(prior["y"], again["y"])
    assert not same
