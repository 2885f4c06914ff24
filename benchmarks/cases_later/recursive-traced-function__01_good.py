"""after general knowledge; slug: recursive-traced-function; corrected twin"""
import jax
import jax.numpy as jnp


def factorial(n):
    return jax.lax.fori_loop(1, n + 1, lambda i, acc: acc * i, 1)


def binomial(n, k):
    return factorial(n) // (factorial(k) * factorial(n - k))


pascal_row = jax.jit(jax.vmap(binomial, in_axes=(None, 0)))


def demonstrate():
    pascal_row(4, jnp.arange(5))
