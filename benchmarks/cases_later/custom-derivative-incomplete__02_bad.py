"""after general knowledge; slug: custom-derivative-incomplete"""
import jax
import jax.numpy as jnp


@jax.custom_jvp
def safe_log(x):
    return jnp.log(jnp.maximum(x, 1e-12))


def entropy(p):
    return -jnp.sum(p * safe_log(p))


def entropy_gradient(p):
    return jax.grad(entropy)(p)  # expect: custom-derivative-incomplete


def demonstrate():
    try:
        entropy_gradient(jnp.ones(2) / 2)
    except Exception as err:
        assert type(err).__name__ == 'AttributeError', repr(err)
    else:
        raise AssertionError('expected AttributeError')
