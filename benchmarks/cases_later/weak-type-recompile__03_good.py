"""after general knowledge; slug: weak-type-recompile; corrected twin"""
import jax
import jax.numpy as jnp


@jax.jit
def update_state(carry, x):
    return {"sum": carry["sum"] + x, "count": carry["count"] + 1}


def accumulate(xs):
    carry = {"sum": jnp.zeros(()), "count": jnp.zeros((), jnp.int32)}
    for x in xs:
        carry = update_state(carry, x)
    return carry["sum"] / carry["count"]


def demonstrate():
    accumulate(jnp.arange(4.0))
    assert update_state._cache_size() == 1
