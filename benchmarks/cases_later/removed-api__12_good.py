"""after host_callback in a progress report; slug: removed-api; corrected twin"""
import jax
import jax.numpy as jnp


def progress(i, x):
    jax.debug.print("{} {}", i, x)


def integrate(x, n):
    def body(i, x):
        progress(i, x)
        return x * 0.9

    return jax.lax.fori_loop(0, n, body, x)


def demonstrate():
    integrate(jnp.ones(()), 3)
