"""Ways to draw ancestors by weight."""
import jax
import jax.numpy as jnp
import numpy as np

SCHEMES = {}


def scheme(function):
    SCHEMES[function.__name__] = function
    return function


def normalise(log_weights):
    return jax.nn.softmax(log_weights)


def effective_size(log_weights):
    weights = normalise(log_weights)
    return 1.0 / jnp.sum(weights**2)


@scheme
def multinomial(key, log_weights):
    return jax.random.categorical(key, log_weights, shape=log_weights.shape)


@scheme
def systematic(key, log_weights):
    size = log_weights.shape[0]
    points = (jnp.arange(size) + jax.random.uniform(key)) / size
    return jnp.searchsorted(jnp.cumsum(normalise(log_weights)), points).clip(0, size - 1)


@scheme
def stratified(key, log_weights):
    size = log_weights.shape[0]
    points = (np.arange(size) + jax.random.uniform(key, (size,))) / size
    return jnp.searchsorted(jnp.cumsum(normalise(log_weights)), points).clip(0, size - 1)


@scheme
def residual(key, log_weights):
    """Whole copies first, the rest at random."""
    size = log_weights.shape[0]
    weights = normalise(log_weights)
    copies = jnp.floor(weights * size).astype(int)
    sure = jnp.repeat(jnp.arange(size), copies)  # expect: data-dependent-shape
    rest = jax.random.categorical(key, jnp.log(weights * size - copies + 1e-12), shape=(size - len(sure),))
    return jnp.concatenate([sure, rest])


@scheme
def residual_padded(key, log_weights):
    """The same with a known length."""
    size = log_weights.shape[0]
    weights = normalise(log_weights)
    copies = jnp.floor(weights * size).astype(int)
    sure = jnp.repeat(jnp.arange(size), copies, total_repeat_length=size)
    rest = jax.random.categorical(key, jnp.log(weights * size - copies + 1e-12), shape=(size,))
    return jnp.where(jnp.arange(size) < copies.sum(), sure, rest)
