"""after parameters of a simulator mapped with one axis too few; slug: axes-mismatch"""

import jax
import jax.numpy as jnp
import numpyro.distributions as dist


def log_prob(theta, sigma, data):
    return dist.Normal(theta, sigma).log_prob(data).sum()


batched = jax.vmap(log_prob, in_axes=(0, None))


def profile(data):
    grid = jnp.linspace(-1.0, 1.0, 21)
    return grid[jnp.argmax(batched(grid, 1.0, data))]  # expect: axes-mismatch


def main():
    return profile(jnp.array([0.1, 0.3, 0.2]))


def demonstrate():
    try:
        main()
    except ValueError:
        return
    assert False
