"""Maximum a posteriori estimate of a negative binomial model."""
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpyro.distributions as dist
from jax.scipy.special import betaln


class Params(NamedTuple):
    log_mean: jax.Array
    log_shape: jax.Array


def log_prior(params):
    normal = dist.Normal(0.0, 2.0)
    return normal.log_prob(params.log_mean) + normal.log_prob(params.log_shape)


def log_likelihood(params, counts):
    mean, shape = jnp.exp(params.log_mean), jnp.exp(params.log_shape)
    coefficient = -betaln(shape, counts + 1.0) - jnp.log(shape + counts)
    log_p = jnp.log(mean) - jnp.log(mean + shape)
    log_q = jnp.log(shape) - jnp.log(mean + shape)
    return jnp.sum(coefficient + counts * log_p + shape * log_q)


def negative_log_joint(params, counts):
    return -(log_prior(params) + log_likelihood(params, counts)) / counts.shape[0]


@jax.jit
def estimate(params, counts):
    def descend(params, _):
        value, grads = jax.value_and_grad(negative_log_joint)(params, counts)
        return jax.tree.map(lambda p, g: p - 0.1 * g, params, grads), value

    return jax.lax.scan(descend, params, None, length=200)


def main():
    counts = dist.NegativeBinomial2(5.0, 2.0).sample(jax.random.key(2), (200,)).astype(jnp.float32)
    params, values = estimate(Params(jnp.zeros(()), jnp.zeros(())), counts)
    print("mean", jnp.exp(params.log_mean), "data mean", counts.mean())
    assert values[-1] < values[0]


if __name__ == "__main__":
    main()
