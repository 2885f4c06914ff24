"""a decay mask that forgets one layer; slug: tree-structure-mismatch"""
import jax
import jax.numpy as jnp


def decay(params, mask, rate):
    return jax.tree.map(lambda p, m: p * (1 - rate * m), params, mask)  # expect: tree-structure-mismatch


def main():
    params = {"w": jnp.ones((2, 2)), "b": jnp.zeros(2), "scale": jnp.ones(())}
    mask = {"w": 1.0, "b": 0.0}
    return decay(params, mask, 0.01)


def demonstrate():
    try:
        main()
    except Exception as err:
        assert type(err).__name__ == 'ValueError', repr(err)
    else:
        raise AssertionError('expected ValueError')
