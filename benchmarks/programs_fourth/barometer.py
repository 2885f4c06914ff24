import jax
import jax.numpy as jnp

history = []


@jax.jit
def smooth(state, reading):
    state = 0.9 * state + 0.1 * reading
    history.append(state)
    return state


def run(readings):
    state = readings[0]
    for reading in readings[1:]:
        state = smooth(state, reading)
    return state, history


# --- what it should do
state, seen = run(jnp.arange(5.0))
assert len(seen) == 4 and float(seen[-1]) == float(state)
