"""after general knowledge; slug: tracer-as-key; corrected twin"""
import jax
import jax.numpy as jnp

RATES = jnp.array([0.1, 0.5, 0.9])


def decay(state, kind):
    rate = RATES[kind]
    return state * rate


@jax.jit
def advance(states, kinds):
    return jnp.stack([decay(s, k) for s, k in zip(states, kinds)])


def demonstrate():
    advance(jnp.ones(3), jnp.arange(3))
