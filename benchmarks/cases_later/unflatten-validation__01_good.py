"""after general knowledge; slug: unflatten-validation; corrected twin"""
from dataclasses import dataclass

import jax
import jax.numpy as jnp


@jax.tree_util.register_dataclass
@dataclass
class Interval:
    low: jax.Array
    high: jax.Array

    def width(self):
        return self.high - self.low


def batch_axes(interval):
    return jax.tree.map(lambda _: 0, interval)


def widths(interval):
    return jax.vmap(Interval.width, in_axes=(batch_axes(interval),))(interval)


def demonstrate():
    widths(Interval(jnp.zeros(3), jnp.ones(3)))
