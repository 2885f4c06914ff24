import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def add_noise(x):
    return x + np.random.normal(0.0, 1.0, size=x.shape)


# --- what it should do
assert add_noise(jnp.zeros(3)).shape == (3,)
