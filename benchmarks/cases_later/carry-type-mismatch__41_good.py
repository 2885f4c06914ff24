"""a counter in a scan that becomes a float; slug: none"""
import jax
import jax.numpy as jnp
from typing import NamedTuple


class Stats(NamedTuple):
    count: jax.Array
    mean: jax.Array


def welford(stats, x):
    count = stats.count + 1
    return Stats(count, stats.mean + (x - stats.mean) / count), x


def summarise(xs):
    init = Stats(jnp.zeros((), jnp.int32), jnp.zeros(()))
    stats, _ = jax.lax.scan(welford, init, xs)
    return stats


def demonstrate():
    summarise(jnp.arange(6.0))
