"""after indexing a typed key; slug: key-misuse"""
import jax
import jax.numpy as jnp


def worker_seed(key, rank):
    return int(key[0]) + rank  # expect: key-misuse


def seeds(n):
    key = jax.random.key(0)
    return [worker_seed(key, r) for r in range(n)]


def demonstrate():
    try:
        seeds(2)
    except Exception as err:
        assert type(err).__name__ == 'IndexError', repr(err)
    else:
        raise AssertionError('expected IndexError')
