"""after general knowledge; slug: jit-in-function"""
from functools import partial

import jax
import jax.numpy as jnp


def log_density(theta, data, temperature):
    return -jnp.sum((data - theta) ** 2) / temperature


def tempered_score(theta, data, temperature):
    score = jax.jit(jax.grad(partial(log_density, data=data, temperature=temperature)))  # expect: jit-in-function
    return score(theta)


def anneal(theta, data, ladder):
    for temperature in ladder:
        theta = theta + 0.01 * tempered_score(theta, data, temperature)
    return theta


def demonstrate():
    import jax._src.test_util as tu
    anneal(jnp.zeros(2), jnp.ones(2), [1.0])
    with tu.count_jit_compilation_cache_miss() as misses:
        anneal(jnp.zeros(2), jnp.ones(2), [1.0, 2.0, 3.0])
    assert misses() >= 3, misses()
