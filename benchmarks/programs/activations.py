import jax
import jax.numpy as jnp

ACTIVATIONS = [jnp.tanh, jnp.sin, jnp.abs]
SCALES = [1.0, 0.5, 2.0]


@jax.jit
def activate(x, kind):
    return x * SCALES[kind]


# --- what it should do
assert activate(jnp.ones(2), 2).tolist() == [2.0, 2.0]
