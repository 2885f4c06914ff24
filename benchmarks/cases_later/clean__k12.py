"""clean: comparing two optimisers from one seed on purpose, keys in separate branches"""
import jax
import jax.numpy as jnp


def initial(kind, key, shape):
    if kind == "normal":
        return jax.random.normal(key, shape)
    if kind == "uniform":
        return jax.random.uniform(key, shape)
    k_sign, k_scale = jax.random.split(key)
    return jax.random.rademacher(k_sign, shape) * jax.random.exponential(k_scale, shape)


def build(kinds, key):
    params = []
    for i, kind in enumerate(kinds):
        params.append(initial(kind, jax.random.fold_in(key, i), (3,)))
    return params


def demonstrate():
    a, b, c = build(["normal", "uniform", "laplace"], jax.random.key(0))
    assert not jnp.allclose(a, b)
