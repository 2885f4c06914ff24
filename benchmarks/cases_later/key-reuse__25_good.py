"""after bootstrap: the key that drew the sample draws the resample, across a conditional; slug: key-reuse; corrected twin"""
import jax
import jax.numpy as jnp


def simulate(key, n, heavy_tails):
    if heavy_tails:
        return jax.random.t(key, 3.0, (n,))
    return jax.random.normal(key, (n,))


def resample(key, x):
    return jax.random.choice(key, x, (x.shape[0],))


def bootstrap_se(key, n, rounds, heavy_tails=False):
    data_key, boot_key = jax.random.split(key)
    x = simulate(data_key, n, heavy_tails)
    keys = jax.random.split(boot_key, rounds)
    means = jax.vmap(lambda k: resample(k, x).mean())(keys)
    return means.std(), x, keys


def demonstrate():
    key = jax.random.key(0)
    _, x, keys = bootstrap_se(key, 4, 3)
    assert not jnp.array_equal(x, jax.random.normal(key, (4,)))
