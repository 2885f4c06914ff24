"""after the helper's next key is dropped; slug: discarded-key-update"""
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
    _, left = draw_particles(key, n)
    _, right = draw_particles(key, n)  # expect: discarded-key-update
    weights = jnp.full((n,), 1.0 / n)
    return left, right


def demonstrate():
    left, right = two_filters(jax.random.key(5), 4)
    assert jnp.array_equal(left, right)
