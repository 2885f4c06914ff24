"""after loop bound from jnp.log2 of a shape; slug: jnp-on-static-value"""
import jax
import jax.numpy as jnp


@jax.jit
def prefix_sum(x):
    n = x.shape[0]
    levels = jnp.log2(n).astype(int)  # expect: jnp-on-static-value
    for d in range(levels):
        shift = 2 ** d
        x = x + jnp.pad(x, (shift, 0))[:n]
    return x


def demonstrate():
    try:
        prefix_sum(jnp.ones(8))
    except Exception as err:
        assert type(err).__name__ == 'TracerIntegerConversionError', repr(err)
    else:
        raise AssertionError('expected TracerIntegerConversionError')
