"""after axis_index outside of any map; slug: unbound-axis-name"""
import jax
import jax.numpy as jnp


def shard_key(key):
    return jax.random.fold_in(key, jax.lax.axis_index("i"))  # expect: unbound-axis-name


@jax.jit
def init(key):
    return jax.random.normal(shard_key(key), (4,))


def demonstrate():
    try:
        init(jax.random.key(0))
    except Exception as err:
        assert type(err).__name__ == 'NameError', repr(err)
    else:
        raise AssertionError('expected NameError')
