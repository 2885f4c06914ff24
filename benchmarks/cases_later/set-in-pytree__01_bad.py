"""after general knowledge; slug: set-in-pytree"""
import jax
import jax.numpy as jnp


@jax.jit
def weighted_sum(terms, weight):
    return weight * sum(jnp.sum(v) for v in terms.values())


def total_energy(positions):
    terms = {"bond": jnp.abs(positions).sum(), "angle": jnp.cos(positions).sum()}
    used = terms.keys() - {"angle"}
    return weighted_sum({"parts": used}, 2.0)  # expect: set-in-pytree


def demonstrate():
    try:
        total_energy(jnp.ones(3))
    except Exception as err:
        assert type(err).__name__ == 'TypeError', repr(err)
    else:
        raise AssertionError('expected TypeError')
