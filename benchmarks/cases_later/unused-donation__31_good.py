"""after a donated batch whose statistics alone are returned; slug: unused-donation"""

import functools

import jax
import jax.numpy as jnp


@jax.jit
def summarize(images):
    return images.mean(axis=(1, 2)), images.std(axis=(1, 2))


def statistics(loader):
    rows = []
    for _ in range(2):
        rows.append(summarize(jnp.ones((8, 16, 16)) * loader))
    return rows


def main():
    return statistics(2.0)


def demonstrate():
    assert main()[0][0].shape == (8,)
