"""after general knowledge; slug: tracer-as-key; corrected twin"""
import jax
import jax.numpy as jnp


def window(width):
    return jnp.hanning(8) * width


@jax.jit
def taper(signal, width):
    return signal * window(width)


def demonstrate():
    taper(jnp.ones(8), 2.0)
