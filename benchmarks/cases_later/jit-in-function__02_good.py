"""after general knowledge; slug: jit-in-function; corrected twin"""
import jax
import jax.numpy as jnp


def log_density(theta, data, temperature):
    return -jnp.sum((data - theta) ** 2) / temperature


score = jax.jit(jax.grad(log_density))


def tempered_score(theta, data, temperature):
    return score(theta, data, temperature)


def anneal(theta, data, ladder):
    for temperature in ladder:
        theta = theta + 0.01 * tempered_score(theta, data, temperature)
    return theta


def demonstrate():
    anneal(jnp.zeros(2), jnp.ones(2), [1.0, 2.0])
