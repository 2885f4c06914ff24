"""clean: the key made once from a seed in each of several entry functions"""
import jax
import jax.numpy as jnp


def make_data(seed, n=16):
    kx, kn = jax.random.split(jax.random.key(seed))
    x = jax.random.normal(kx, (n, 2))
    return x, x.sum(1) + 0.1 * jax.random.normal(kn, (n,))


def fit(seed):
    x, y = make_data(seed)
    w = 0.1 * jax.random.normal(jax.random.key(seed + 1000), (2,))
    for _ in range(5):
        w = w - 0.1 * jax.grad(lambda w: jnp.mean((x @ w - y) ** 2))(w)
    return w


def demonstrate():
    fits = [fit(seed) for seed in range(3)]
    assert len(fits) == 3
