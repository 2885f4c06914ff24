"""a warm-up branch that is run at once; slug: branch-called-not-passed"""
import jax
import jax.numpy as jnp


def warm(state):
    return state["rate"] * (state["step"] + 1) / 100


def decayed(state):
    return state["rate"] * jnp.exp(-0.01 * state["step"])


def rate_of(state):
    return jax.lax.cond(state["step"] < 100, warm(state), decayed(state))  # expect: branch-called-not-passed


def main():
    return jax.jit(rate_of)({"rate": jnp.float32(0.1), "step": jnp.int32(3)})


def demonstrate():
    try:
        main()
    except Exception as err:
        assert type(err).__name__ == 'TypeError', repr(err)
    else:
        raise AssertionError('expected TypeError')
