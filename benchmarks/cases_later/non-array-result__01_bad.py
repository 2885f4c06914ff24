"""after general knowledge; slug: non-array-result"""
import jax
import jax.numpy as jnp


def summarise(x):
    return {"mean": x.mean(), "std": x.std(), "dtype": str(x.dtype)}


@jax.jit
def layer_report(activations):
    return {name: summarise(a) for name, a in activations.items()}  # expect: non-array-result


def demonstrate():
    try:
        layer_report({'a': jnp.ones(3)})
    except Exception as err:
        assert type(err).__name__ == 'TypeError', repr(err)
    else:
        raise AssertionError('expected TypeError')
