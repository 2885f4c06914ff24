"""the history of a sampler whose states are donated; slug: use-after-donate"""
from functools import partial

import jax
import jax.numpy as jnp
import numpyro.distributions as dist

target = dist.MultivariateNormal(jnp.zeros(2), jnp.eye(2))


def log_density(x):
    return target.log_prob(x)


@partial(jax.jit, donate_argnums=(0,))
def langevin(chain, noise):
    drift = jax.grad(log_density)(chain["x"])
    return {"x": chain["x"] + 0.05 * drift + 0.3 * noise, "t": chain["t"] + 1}


def sample(key, steps):
    chain = {"x": jnp.ones(2), "t": jnp.zeros((), jnp.int32)}
    trace = []
    for k in jax.random.split(key, steps):
        proposal = langevin(chain, jax.random.normal(k, (2,)))
        trace.append(jnp.linalg.norm(proposal["x"] - chain["x"]))  # expect: use-after-donate
        chain = proposal
    return chain, trace


def main():
    return sample(jax.random.key(0), 4)


def demonstrate():
    try:
        main()
    except (RuntimeError, ValueError) as err:
        return str(err)
    raise AssertionError("expected a failure")
