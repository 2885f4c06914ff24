"""after general knowledge; slug: static-field-array; corrected twin"""
import equinox as eqx
import jax
import jax.numpy as jnp


class Fourier(eqx.Module):
    weight: jax.Array
    freqs: jax.Array

    def __init__(self, n, key):
        self.weight = jax.random.normal(key, (n,))
        self.freqs = jnp.arange(1, n + 1) * jnp.pi

    def __call__(self, t):
        return jnp.sum(self.weight * jnp.sin(self.freqs * t))


@eqx.filter_jit
def evaluate(layer, ts):
    return jax.vmap(layer)(ts)


def run(ts):
    one, other = jax.random.split(jax.random.key(0))
    first = evaluate(Fourier(4, one), ts)
    return first + evaluate(Fourier(4, other), ts)


def demonstrate():
    run(jnp.ones(2))
