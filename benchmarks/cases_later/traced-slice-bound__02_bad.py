"""after general knowledge; slug: traced-slice-bound"""
import jax
import jax.numpy as jnp


@jax.jit
def causal_context(keys, position):
    return keys[:position + 1].mean(axis=0)  # expect: traced-slice-bound


def decode(keys):
    return [causal_context(keys, i) for i in range(3)]


def demonstrate():
    try:
        decode(jnp.ones((4, 2)))
    except Exception as err:
        assert type(err).__name__ == 'IndexError', repr(err)
    else:
        raise AssertionError('expected IndexError')
