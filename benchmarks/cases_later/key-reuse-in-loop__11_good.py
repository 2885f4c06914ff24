"""after layers of an MLP initialised in a comprehension; slug: key-reuse-in-loop; corrected twin"""
import jax
import jax.numpy as jnp


def glorot(key, shape):
    limit = jnp.sqrt(6.0 / sum(shape))
    return jax.random.uniform(key, shape, minval=-limit, maxval=limit)


def init_layer(key, n_in, n_out):
    return {"w": glorot(key, (n_in, n_out)), "b": jnp.zeros(n_out)}


def init_mlp(sizes, key):
    keys = jax.random.split(key, len(sizes) - 1)
    return [init_layer(k, m, n) for k, m, n in zip(keys, sizes[:-1], sizes[1:])]


def forward(params, x):
    for layer in params[:-1]:
        x = jnp.tanh(x @ layer["w"] + layer["b"])
    return x @ params[-1]["w"] + params[-1]["b"]


def demonstrate():
    p = init_mlp([8, 8, 8], jax.random.key(0))
    assert not jnp.array_equal(p[0]["w"], p[1]["w"])
