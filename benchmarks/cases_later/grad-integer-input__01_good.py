"""after general knowledge; slug: grad-integer-input; corrected twin"""
import jax
import jax.numpy as jnp


def wave(t, frequency):
    return jnp.sin(2 * jnp.pi * frequency * t)


def slopes(frequency, n=8):
    velocity = jax.vmap(jax.grad(wave), in_axes=(0, None))
    ticks = jnp.arange(n, dtype=jnp.float32)
    return velocity(ticks, frequency)


def demonstrate():
    slopes(0.1)
