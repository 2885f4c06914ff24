"""a normalising layer whose statistics are static; slug: none"""
import equinox as eqx
import jax
import jax.numpy as jnp


class Standardize(eqx.Module):
    layer: eqx.nn.Linear
    mean: jax.Array

    def __init__(self, data, key):
        self.layer = eqx.nn.Linear(3, 2, key=key)
        self.mean = jnp.mean(data, axis=0)

    def __call__(self, x):
        return self.layer(x - self.mean)


def demonstrate():
    import warnings

    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        model = Standardize(jnp.ones((4, 3)), jax.random.key(0))
    assert not seen
    assert model(jnp.ones(3)).shape == (2,)
