"""after general knowledge; slug: set-in-pytree; corrected twin"""
import jax
import jax.numpy as jnp


def loss(params, x):
    h = x
    for w in params["layers"]:
        h = jnp.tanh(h @ w)
    return jnp.mean(h ** 2)


def build(key, depth=2):
    keys = jax.random.split(key, depth)
    return {"layers": [jax.random.normal(k, (3, 3)) for k in keys]}


def gradient(key, x):
    params = build(key)
    return jax.grad(loss)(params, x)


def demonstrate():
    gradient(jax.random.key(0), jnp.ones((2, 3)))
