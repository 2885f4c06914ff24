"""after general knowledge; slug: traced-branch; corrected twin"""
import jax
import jax.numpy as jnp


def check_bounds(x, low, high):
    return jnp.clip(x, low, high)


def normalised(x, low=0.0, high=1.0):
    return (check_bounds(x, low, high) - low) / (high - low)


per_pixel = jax.vmap(jax.vmap(normalised))


def demonstrate():
    per_pixel(jnp.ones((2, 2)))
