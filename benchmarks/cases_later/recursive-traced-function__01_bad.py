"""after general knowledge; slug: recursive-traced-function"""
import jax
import jax.numpy as jnp


def factorial(n):
    return jax.lax.cond(n <= 1, lambda: 1, lambda: n * factorial(n - 1))  # expect: recursive-traced-function


def binomial(n, k):
    return factorial(n) // (factorial(k) * factorial(n - k))


pascal_row = jax.jit(jax.vmap(binomial, in_axes=(None, 0)))


def demonstrate():
    try:
        pascal_row(4, jnp.arange(5))
    except Exception as err:
        assert type(err).__name__ == 'RecursionError', repr(err)
    else:
        raise AssertionError('expected RecursionError')
