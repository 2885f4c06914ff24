"""clean: a key passed on through a dict of branches, each used once"""
import jax
import jax.numpy as jnp

SAMPLERS = {
    "normal": lambda key, shape: jax.random.normal(key, shape),
    "laplace": lambda key, shape: jax.random.laplace(key, shape),
}


def noise(kind, key, shape):
    return SAMPLERS[kind](key, shape)


def two(kind_a, kind_b, key):
    first, second = jax.random.split(key)
    return noise(kind_a, first, (2,)), noise(kind_b, second, (2,))


def demonstrate():
    two("normal", "laplace", jax.random.key(0))
