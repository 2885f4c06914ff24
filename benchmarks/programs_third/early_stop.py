import jax
import jax.numpy as jnp


@jax.jit
def descend(x, tolerance):
    step = jnp.inf
    while step > tolerance:
        new = x - 0.1 * 2 * (x - 3.0)
        step = jnp.abs(new - x)
        x = new
    return x


# --- what it should do
assert abs(float(descend(0.0, 1e-4)) - 3.0) < 1e-2
