"""a counter in a scan that becomes a float; slug: carry-type-mismatch"""
import jax
import jax.numpy as jnp
from typing import NamedTuple


class Stats(NamedTuple):
    count: jax.Array
    mean: jax.Array


def welford(stats, x):
    count = stats.count + jnp.ones(())
    return Stats(count, stats.mean + (x - stats.mean) / count), x


def summarise(xs):
    init = Stats(jnp.zeros((), jnp.int32), jnp.zeros(()))
    stats, _ = jax.lax.scan(welford, init, xs)  # expect: carry-type-mismatch
    return stats


def demonstrate():
    try:
        summarise(jnp.arange(6.0))
    except Exception as err:
        assert type(err).__name__ == 'TypeError', repr(err)
    else:
        raise AssertionError('expected TypeError')
