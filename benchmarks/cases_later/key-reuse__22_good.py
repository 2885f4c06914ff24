"""after two populations initialised from the module's key; slug: key-reuse; corrected twin"""
import jax
import jax.numpy as jnp

SEED_KEY = jax.random.PRNGKey(7)


def population(key, size, dim):
    return jax.random.normal(key, (size, dim))


def tournament(scores, key):
    a, b = jax.random.randint(key, (2,), 0, scores.shape[0])
    return jnp.where(scores[a] > scores[b], a, b)


def setup(size, dim):
    prey = population(SEED_KEY, size, dim)
    predators = population(jax.random.fold_in(SEED_KEY, 1), size, dim)
    return prey, predators


def demonstrate():
    prey, predators = setup(3, 2)
    assert not jnp.array_equal(prey, predators)
