import jax
import jax.numpy as jnp


@jax.jit
def bisect(target, low, high):
    while high - low > 1e-3:
        middle = 0.5 * (low + high)
        if middle**2 > target:
            high = middle
        else:
            low = middle
    return low


# --- what it should do
assert abs(float(bisect(2.0, 0.0, 2.0)) - 1.41421) < 1e-2
