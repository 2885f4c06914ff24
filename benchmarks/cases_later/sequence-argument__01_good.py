"""after general knowledge; slug: sequence-argument; corrected twin"""
import jax
import jax.numpy as jnp


def gaussian(x, mean, width):
    return jnp.exp(-0.5 * ((x - mean) / width) ** 2)


def mixture(x, components):
    parts = []
    for mean, width in components:
        parts.append(gaussian(x, mean, width))
    return jnp.sum(jnp.stack(parts), axis=0)


density = jax.jit(lambda x: mixture(x, ((0.0, 1.0), (2.0, 0.5))))


def demonstrate():
    density(jnp.linspace(0, 1, 5))
