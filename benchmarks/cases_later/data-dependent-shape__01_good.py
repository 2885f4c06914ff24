"""after general knowledge; slug: data-dependent-shape; corrected twin"""
import jax
import jax.numpy as jnp


def first_crossing(trace, level):
    above = trace > level
    return jnp.argmax(above)


detect = jax.jit(jax.vmap(first_crossing, in_axes=(0, None)))


def arrival_times(traces, rate, level=0.5):
    return detect(traces, level) / rate


def demonstrate():
    arrival_times(jnp.ones((2, 5)), 10.0)
