"""a warm-up branch that is run at once; slug: none"""
import jax
import jax.numpy as jnp


def warm(state):
    return state["rate"] * (state["step"] + 1) / 100


def decayed(state):
    return state["rate"] * jnp.exp(-0.01 * state["step"])


def rate_of(state):
    return jax.lax.cond(state["step"] < 100, warm, decayed, state)


def main():
    return jax.jit(rate_of)({"rate": jnp.float32(0.1), "step": jnp.int32(3)})


def demonstrate():
    main()
