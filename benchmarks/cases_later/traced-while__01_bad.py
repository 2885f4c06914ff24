"""after general knowledge; slug: traced-while"""
import equinox as eqx
import jax
import jax.numpy as jnp


class FixedPoint(eqx.Module):
    weight: jax.Array
    tol: float = 1e-4

    def __call__(self, x):
        z = jnp.zeros_like(x)
        gap = jnp.inf
        while gap > self.tol:  # expect: traced-while
            new = jnp.tanh(self.weight @ z + x)
            gap = jnp.max(jnp.abs(new - z))
            z = new
        return z


@eqx.filter_jit
def predict(layer, xs):
    return jax.vmap(layer)(xs)


def demonstrate():
    try:
        predict(FixedPoint(0.1 * jnp.eye(3)), jnp.ones((2, 3)))
    except Exception as err:
        assert type(err).__name__ == 'TracerBoolConversionError', repr(err)
    else:
        raise AssertionError('expected TracerBoolConversionError')
