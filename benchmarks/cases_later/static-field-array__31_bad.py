"""after normalization constants in a static field; slug: static-field-array"""

import equinox as eqx
import jax
import jax.numpy as jnp


class Standardize(eqx.Module):
    linear: eqx.nn.Linear
    mean: jax.Array = eqx.field(static=True)
    std: jax.Array = eqx.field(static=True)

    def __call__(self, x):
        return self.linear((x - self.mean) / self.std)


def build(data, key):
    linear = eqx.nn.Linear(3, 1, key=key)
    return Standardize(linear, data.mean(axis=0), data.std(axis=0))  # expect: static-field-array


@eqx.filter_jit
def predict(model, x):
    return jax.vmap(model)(x)


def main():
    data = jnp.arange(12.0).reshape(4, 3)
    model = build(data, jax.random.key(0))
    predict(model, data)
    return predict(build(data + 1, jax.random.key(0)), data)


def demonstrate():
    import warnings

    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        try:
            main()
        except Exception:
            return
    assert seen
