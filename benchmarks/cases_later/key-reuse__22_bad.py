"""after two populations initialised from the module's key; slug: key-reuse"""
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
    predators = population(SEED_KEY, size, dim)  # expect: key-reuse
    return prey, predators


def demonstrate():
    prey, predators = setup(3, 2)
    assert jnp.array_equal(prey, predators)
