import jax
import numpy as np


@jax.jit
def normalise(x):
    mu = np.mean(x, axis=0)
    sd = np.sqrt(np.var(x, axis=0) + 1e-6)
    return (x - mu) / sd


# --- what it should do
y = normalise(np.arange(6.0).reshape(3, 2))
assert abs(float(y.mean())) < 1e-5 and y.shape == (3, 2)
