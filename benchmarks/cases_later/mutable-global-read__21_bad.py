"""after a config dict changed between calls; slug: mutable-global-read"""
import jax
import jax.numpy as jnp

CONFIG = {"beta": 1.0, "clip": 10.0}


def penalty(z):
    return CONFIG["beta"] * jnp.sum(z ** 2)  # expect: mutable-global-read


@jax.jit
def loss(z):
    return penalty(z) + jnp.sum(jnp.abs(z))


def warmup(z, epochs):
    values = []
    for epoch in range(epochs):
        CONFIG["beta"] = epoch / epochs
        values.append(loss(z))
    return values


def demonstrate():
    v = warmup(jnp.ones(2), 3)
    assert v[0] == v[2]
