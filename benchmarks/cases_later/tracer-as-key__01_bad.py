"""after general knowledge; slug: tracer-as-key"""
import jax
import jax.numpy as jnp

RATES = {0: 0.1, 1: 0.5, 2: 0.9}


def decay(state, kind):
    rate = RATES.get(kind, 1.0)  # expect: tracer-as-key
    return state * rate


@jax.jit
def advance(states, kinds):
    return jnp.stack([decay(s, k) for s, k in zip(states, kinds)])


def demonstrate():
    try:
        advance(jnp.ones(3), jnp.arange(3))
    except Exception as err:
        assert type(err).__name__ == 'TypeError', repr(err)
    else:
        raise AssertionError('expected TypeError')
