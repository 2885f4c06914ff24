import jax
import jax.numpy as jnp


@jax.jit
def grid(low, high, count):
    index = jnp.arange(count)
    return low + (high - low) * index / (count - 1)


# --- what it should do
assert grid(0.0, 1.0, 5).tolist() == [0.0, 0.25, 0.5, 0.75, 1.0]
