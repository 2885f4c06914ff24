"""after flattening with jnp.prod of a shape; slug: jnp-on-static-value"""
import jax
import jax.numpy as jnp


def flat_size(shape):
    return jnp.prod(jnp.array(shape))  # expect: jnp-on-static-value


@jax.jit
def flatten(x):
    return x.reshape(x.shape[0], flat_size(x.shape[1:]))


def demonstrate():
    try:
        flatten(jnp.ones((2, 3, 4)))
    except Exception as err:
        assert type(err).__name__ == 'TypeError', repr(err)
    else:
        raise AssertionError('expected TypeError')
