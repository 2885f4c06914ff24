"""after the helper's next key is dropped; slug: discarded-key-update; corrected twin"""
import jax
import jax.numpy as jnp


def draw_particles(key, n):
    """Return the next key and the particles."""
    key, sub = jax.random.split(key)
    return key, jax.random.normal(sub, (n, 2))


def resample(key, particles, weights):
    key, sub = jax.random.split(key)
    index = jax.random.choice(sub, particles.shape[0], (particles.shape[0],), p=weights)
    return key, particles[index]


def two_filters(key, n):
    key, left = draw_particles(key, n)
    key, right = draw_particles(key, n)
    weights = jnp.full((n,), 1.0 / n)
    key, left = resample(key, left, weights)
    return left, right


def demonstrate():
    left, right = two_filters(jax.random.key(5), 4)
    assert not jnp.array_equal(left, right)
