import jax
import jax.numpy as jnp


@jax.jit
def newton_sqrt(a):
    x = a
    while jnp.abs(x * x - a) > 1e-4:
        x = 0.5 * (x + a / x)
    return x


# --- what it should do
assert abs(float(newton_sqrt(4.0)) - 2.0) < 1e-3
