"""after general knowledge; slug: concretization; corrected twin"""
import jax
import jax.numpy as jnp


def elevation_angle(ray):
    x, y, z = ray
    return jnp.arctan2(z, jnp.hypot(x, y))


def mean_elevation(rays):
    return jnp.mean(jax.vmap(elevation_angle)(rays))


def demonstrate():
    mean_elevation(jnp.ones((5, 3)))
