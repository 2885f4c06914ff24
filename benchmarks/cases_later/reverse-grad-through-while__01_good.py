"""after general knowledge; slug: reverse-grad-through-while; corrected twin"""
import jax
import jax.numpy as jnp
from jax import lax


def escape_time(c, limit=16):
    def going(s):
        z, n = s
        return (n < limit) & (jnp.abs(z) < 2)

    return lax.while_loop(going, lambda s: (s[0] ** 2 + c, s[1] + 1), (jnp.zeros_like(c), 0.0))


def distance(c):
    z, n = escape_time(c)
    return jnp.abs(z) - 0.1 * n


def refine(c, lr=0.01):
    return c - lr * jax.jacfwd(distance)(c)


def demonstrate():
    refine(0.2)
