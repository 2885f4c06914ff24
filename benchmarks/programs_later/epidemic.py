import jax
import jax.numpy as jnp


@jax.jit
def simulate(beta, days):
    s, i = 0.99, 0.01
    for _ in range(days):
        new = beta * s * i
        s, i = s - new, i + new - 0.1 * i
    return i


# --- what it should do
assert 0.0 < float(simulate(0.3, 10)) < 1.0
