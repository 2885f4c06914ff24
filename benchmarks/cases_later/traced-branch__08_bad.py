"""after general knowledge; slug: traced-branch"""
import jax
import jax.numpy as jnp


def argmax_label(scores, names, fallback):
    best = jnp.argmax(scores)
    confident = scores[best] > 0.5
    return confident and best or fallback  # expect: traced-branch


classify = jax.jit(argmax_label, static_argnames=("names", "fallback"))


def label(scores):
    return classify(scores, names=("cat", "dog"), fallback=-1)


def demonstrate():
    try:
        label(jnp.array([0.1, 0.9]))
    except Exception as err:
        assert type(err).__name__ == 'TracerBoolConversionError', repr(err)
    else:
        raise AssertionError('expected TracerBoolConversionError')
