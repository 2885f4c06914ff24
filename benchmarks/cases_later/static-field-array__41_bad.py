"""a normalising layer whose statistics are static; slug: static-field-array"""
import equinox as eqx
import jax
import jax.numpy as jnp


class Standardize(eqx.Module):
    layer: eqx.nn.Linear
    mean: jax.Array = eqx.field(static=True)

    def __init__(self, data, key):
        self.layer = eqx.nn.Linear(3, 2, key=key)
        self.mean = jnp.mean(data, axis=0)  # expect: static-field-array

    def __call__(self, x):
        return self.layer(x - self.mean)


def demonstrate():
    import warnings

    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        model = Standardize(jnp.ones((4, 3)), jax.random.key(0))
    assert seen
    assert model(jnp.ones(3)).shape == (2,)
