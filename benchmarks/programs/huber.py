import jax
import jax.numpy as jnp


@jax.jit
def huber(err, delta=1.0):
    a = jnp.abs(err)
    return 0.5 * a**2 if a < delta else delta * (a - 0.5 * delta)


# --- what it should do
assert huber(0.5) == 0.125 and huber(3.0) == 2.5
