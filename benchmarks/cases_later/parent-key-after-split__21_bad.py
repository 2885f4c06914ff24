"""after parameters from the subkeys, data from the parent; slug: parent-key-after-split"""
import jax
import jax.numpy as jnp


def make_problem(key, n, d):
    w_key, x_key = jax.random.split(key)
    w = jax.random.normal(w_key, (d,))
    x = jax.random.normal(x_key, (n, d))
    noise = 0.1 * jax.random.normal(key, (n,))  # expect: parent-key-after-split
    return x, x @ w + noise


@jax.jit
def fit(x, y):
    return jnp.linalg.lstsq(x, y)[0]


def demonstrate():
    key = jax.random.key(0)
    x, y = make_problem(key, 6, 2)
    w = jax.random.normal(jax.random.split(key)[0], (2,))
    n = 0.1 * jax.random.normal(key, (6,))
    assert jnp.allclose(y - x @ w, n, atol=1e-5)
