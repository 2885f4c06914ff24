import jax
import jax.numpy as jnp


@jax.jit
def sum_first(x, n):
    total = 0.0
    for i in range(n):
        total += x[i]
    return total


# --- what it should do
n = jnp.argmax(jnp.array([0, 0, 1]))
assert sum_first(jnp.arange(5.0), n) == 1.0
