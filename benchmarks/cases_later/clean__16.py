"""after general knowledge; clean: weak scalars that stay the same type; a running mean kept in an array; a loop with a fixed shape"""
import jax
import jax.numpy as jnp


@jax.jit
def blend(state, x, rate):
    return state + rate * (x - state)


def smooth(xs, rate=0.1):
    state = jnp.zeros(xs.shape[1])
    for x in xs:
        state = blend(state, x, rate)
    return blend(state, xs[0], 0.5)


def windows(xs, width=2):
    return [blend(xs[i:i + width].mean(0), xs[0], 0.2) for i in range(0, 4, width)]


def demonstrate():
    smooth(jnp.ones((4, 2))), windows(jnp.ones((4, 2)))
