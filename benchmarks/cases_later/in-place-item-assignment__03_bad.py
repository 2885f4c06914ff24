"""after general knowledge; slug: in-place-item-assignment"""
import jax.numpy as jnp


def build_transition(n, edges):
    table = {"rate": jnp.zeros((n, n))}
    rate = table["rate"]
    for a, b, r in edges:
        rate[a, b] = r  # expect: in-place-item-assignment
    return table


def demonstrate():
    try:
        build_transition(2, [(0, 1, 0.5)])
    except Exception as err:
        assert type(err).__name__ == 'TypeError', repr(err)
    else:
        raise AssertionError('expected TypeError')
