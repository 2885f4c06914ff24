"""after a config dict changed between calls; slug: mutable-global-read; corrected twin"""
import jax
import jax.numpy as jnp

CONFIG = {"beta": 1.0, "clip": 10.0}


def penalty(z):
    return jnp.sum(z ** 2)


@jax.jit
def loss(z, beta):
    return beta * penalty(z) + jnp.sum(jnp.abs(z))


def warmup(z, epochs):
    values = []
    for epoch in range(epochs):
        CONFIG["beta"] = epoch / epochs
        values.append(loss(z, CONFIG["beta"]))
    return values


def demonstrate():
    v = warmup(jnp.ones(2), 3)
    assert v[0] != v[2]
