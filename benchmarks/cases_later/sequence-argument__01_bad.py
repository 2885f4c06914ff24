"""after general knowledge; slug: sequence-argument"""
import jax
import jax.numpy as jnp


def gaussian(x, mean, width):
    return jnp.exp(-0.5 * ((x - mean) / width) ** 2)


def mixture(x, components):
    parts = []
    for mean, width in components:
        parts.append(gaussian(x, mean, width))
    return jnp.sum(parts, axis=0)  # expect: sequence-argument


density = jax.jit(lambda x: mixture(x, ((0.0, 1.0), (2.0, 0.5))))


def demonstrate():
    try:
        density(jnp.linspace(0, 1, 5))
    except Exception as err:
        assert type(err).__name__ == 'TypeError', repr(err)
    else:
        raise AssertionError('expected TypeError')
