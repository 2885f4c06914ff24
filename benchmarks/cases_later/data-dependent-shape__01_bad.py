"""after general knowledge; slug: data-dependent-shape"""
import jax
import jax.numpy as jnp


def first_crossing(trace, level):
    above = jnp.flatnonzero(trace > level)  # expect: data-dependent-shape
    return above[0]


detect = jax.jit(jax.vmap(first_crossing, in_axes=(0, None)))


def arrival_times(traces, rate, level=0.5):
    return detect(traces, level) / rate


def demonstrate():
    try:
        arrival_times(jnp.ones((2, 5)), 10.0)
    except Exception as err:
        assert type(err).__name__ == 'ConcretizationTypeError', repr(err)
    else:
        raise AssertionError('expected ConcretizationTypeError')
