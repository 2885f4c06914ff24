import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def evaluate(coefficients, x):
    powers = np.power(x, np.arange(coefficients.shape[0]))
    return np.dot(coefficients, powers)


# --- what it should do
assert jnp.allclose(evaluate(jnp.array([1.0, 2.0, 3.0]), 2.0), 17.0)
