import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def response(dose, params):
    top, ec50, slope = params
    effect = top / (1 + np.power(ec50 / dose, slope))
    if np.any(effect > 1.0):
        effect = np.clip(effect, 0.0, 1.0)
    return effect


# --- what it should do
out = response(jnp.array([1.0, 10.0]), (2.0, 1.0, 1.0))
assert out.tolist() == [1.0, 1.0]
