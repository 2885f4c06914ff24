"""after parameters kept on the host between steps; slug: transfer-in-loop"""
import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def sgd(w, x):
    return w - 0.01 * jax.grad(lambda w: jnp.sum((x @ w) ** 2))(w)


def train(w, x, steps):
    for _ in range(steps):
        w = np.asarray(sgd(w, x))  # expect: transfer-in-loop
    return w


def demonstrate():
    out = train(np.ones(3, np.float32), jnp.ones((2, 3)), 3)
    assert isinstance(out, np.ndarray)
