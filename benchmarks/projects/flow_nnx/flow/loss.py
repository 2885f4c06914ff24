"""The loss at random times."""
import jax
import jax.numpy as jnp

from .paths import Path


def sample_times(key, count, low=0.0):
    return jax.random.uniform(key, (count,), minval=low)


def loss(model, path: Path, key, data):
    t = sample_times(key, data.shape[0])
    noise = jax.random.normal(key, data.shape)  # expect: key-reuse
    return matching(model, path, t, noise, data)


def loss_split(model, path: Path, key, data):
    for_times, for_noise = jax.random.split(key)
    return matching(model, path, sample_times(for_times, data.shape[0]), jax.random.normal(for_noise, data.shape), data)


def matching(model, path: Path, t, noise, data):
    def one(t, noise, data):
        wanted = path.velocity(t, noise, data)
        return jnp.sum((model(path.between(t, noise, data), t) - wanted) ** 2)

    return jnp.mean(jax.vmap(one)(t, noise, data))
