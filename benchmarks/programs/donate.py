from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, donate_argnums=0)
def update(state, g):
    return state - 0.1 * g


state = jnp.ones(3)
new = update(state, jnp.ones(3))
print("moved by", jnp.abs(new - state).max())

# --- what it should do
assert jnp.allclose(new, 0.9)
