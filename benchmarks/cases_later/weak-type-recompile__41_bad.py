"""an exponential moving average that starts from a Python float; slug: weak-type-recompile"""
import jax
import jax.numpy as jnp


@jax.jit
def ema(avg, value):
    return 0.9 * avg + 0.1 * value


def smooth(stream):
    avg = 0.0
    history = []
    for value in stream:
        avg = ema(avg, value)  # expect: weak-type-recompile
        history.append(avg)
    return history


def demonstrate():
    smooth(jnp.arange(5.0))
    assert ema._cache_size() == 2
