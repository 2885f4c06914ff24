"""after equinox normaliser with array statistics marked static; slug: static-field-array; corrected twin"""
import equinox as eqx
import jax
import jax.numpy as jnp


class Standardise(eqx.Module):
    mean: jax.Array
    scale: float = eqx.field(static=True)

    def __call__(self, x):
        return (x - self.mean) / self.scale


@eqx.filter_jit
def apply(layer, x):
    return layer(x)


def run(x):
    layer = Standardise(jnp.mean(x, axis=0), 2.0)
    return apply(layer, x)


def demonstrate():
    run(jnp.ones((3, 2)))
