"""after equinox normaliser with array statistics marked static; slug: static-field-array"""
import equinox as eqx
import jax
import jax.numpy as jnp


class Standardise(eqx.Module):
    mean: jax.Array = eqx.field(static=True)  # expect: static-field-array
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
    import warnings
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        try:
            run(jnp.ones((3, 2)))
        except Exception as err:
            assert "hash" in str(err)
        else:
            assert any("static" in str(w.message) for w in seen)
