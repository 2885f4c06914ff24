"""after general knowledge; slug: tree-structure-mismatch"""
import jax
import jax.numpy as jnp

params = {"encoder": {"w": jnp.ones((2, 2))}, "head": {"w": jnp.ones(2), "b": jnp.zeros(())}}
DECAY = {"encoder": {"w": 1e-4}, "head": {"w": 1e-3}}


def decayed(tree, rates):
    return jax.tree.map(lambda p, r: p * (1 - r), tree, rates)


def shrink():
    return decayed(params, DECAY)  # expect: tree-structure-mismatch


def demonstrate():
    try:
        shrink()
    except Exception as err:
        assert type(err).__name__ == 'ValueError', repr(err)
    else:
        raise AssertionError('expected ValueError')
