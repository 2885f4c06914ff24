"""after general knowledge; slug: carry-type-mismatch"""
import jax
import jax.numpy as jnp


def bisect(f, low, high, n=20):
    def body(i, state):
        low, high = state
        middle = 0.5 * (low + high)
        left = f(middle) > 0
        return [jnp.where(left, low, middle), jnp.where(left, middle, high)]  # expect: carry-type-mismatch

    return jax.lax.fori_loop(0, n, body, (low, high))


def root(a):
    return bisect(lambda x: x ** 2 - a, 0.0, 2.0)[0]


def demonstrate():
    try:
        root(2.0)
    except Exception as err:
        assert type(err).__name__ == 'TypeError', repr(err)
    else:
        raise AssertionError('expected TypeError')
