"""after general knowledge; slug: set-in-pytree; corrected twin"""
import jax
import jax.numpy as jnp


@jax.jit
def weighted_sum(terms, weight):
    return weight * sum(jnp.sum(v) for v in terms.values())


def total_energy(positions):
    terms = {"bond": jnp.abs(positions).sum(), "angle": jnp.cos(positions).sum()}
    return weighted_sum({"bond": terms["bond"]}, 2.0)


def demonstrate():
    total_energy(jnp.ones(3))
