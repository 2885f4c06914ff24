"""after a thousand time steps unrolled; slug: unrolled-loop"""
import jax
import jax.numpy as jnp


def laplacian(u):
    return jnp.roll(u, 1) + jnp.roll(u, -1) - 2 * u


@jax.jit
def diffuse(u):
    for _ in range(1000):  # expect: unrolled-loop
        u = u + 0.1 * laplacian(u)
    return u


def run(n):
    return diffuse(jnp.zeros(n).at[n // 2].set(1.0))


def demonstrate():
    size = len(jax.make_jaxpr(diffuse)(jnp.zeros(8)).jaxpr.eqns[0].params["jaxpr"].eqns)
    assert size > 3000
