import jax
import jax.numpy as jnp


@jax.jit
def temperature(step, warmup):
    if step < warmup and warmup > 0:
        t = step / warmup
    elif step < 2 * warmup:
        t = 1.0
    else:
        t = 0.5
    return t


# --- what it should do
assert temperature(5, 10) == 0.5 and temperature(15, 10) == 1.0 and temperature(50, 10) == 0.5
