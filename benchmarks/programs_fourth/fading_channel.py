import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def transmit(signal, key):
    noise = np.random.normal(size=signal.shape)
    return signal + 0.1 * noise


# --- what it should do
x = jnp.zeros(8)
a, b = transmit(x, jax.random.key(0)), transmit(x, jax.random.key(1))
assert not bool((a == b).all())
