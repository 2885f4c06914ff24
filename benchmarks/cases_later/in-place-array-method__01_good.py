"""after general knowledge; slug: in-place-array-method; corrected twin"""
import jax.numpy as jnp


def ranked_quantile(samples, weights, q):
    order = jnp.argsort(samples)
    cumulative = jnp.cumsum(weights[order])
    cumulative = cumulative / cumulative[-1]
    return samples[order][jnp.searchsorted(cumulative, q)]


def demonstrate():
    ranked_quantile(jnp.array([3.0, 1.0, 2.0]), jnp.ones(3), 0.5)
