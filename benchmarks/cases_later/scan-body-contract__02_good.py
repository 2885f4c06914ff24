"""after general knowledge; slug: scan-body-contract; corrected twin"""
import jax
import jax.numpy as jnp


def relax(pressure):
    return 0.5 * pressure + 0.25 * (jnp.roll(pressure, 1) + jnp.roll(pressure, -1))


def settle(pressure, iterations=10):
    return jax.lax.fori_loop(0, iterations, lambda _, p: relax(p), pressure)


settle_batch = jax.vmap(settle)


def demonstrate():
    settle_batch(jnp.ones((2, 4)))
