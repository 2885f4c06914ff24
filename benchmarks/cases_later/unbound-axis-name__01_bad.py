"""after general knowledge; slug: unbound-axis-name"""
import jax
import jax.numpy as jnp
from jax import lax


def sync_batch_stats(x):
    mean = lax.pmean(x.mean(0), "batch")
    var = lax.pmean((x ** 2).mean(0), "batch") - mean ** 2
    return (x - mean) / jnp.sqrt(var + 1e-5)


@jax.jit
def encode(weights, x):
    return sync_batch_stats(x @ weights)  # expect: unbound-axis-name


def run(x):
    return encode(jnp.eye(x.shape[1]), x)


def demonstrate():
    try:
        run(jnp.ones((4, 2)))
    except Exception as err:
        assert type(err).__name__ == 'NameError', repr(err)
    else:
        raise AssertionError('expected NameError')
