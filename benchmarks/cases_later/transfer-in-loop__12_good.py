"""after parameters kept on the host between steps; slug: transfer-in-loop; corrected twin"""
import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def sgd(w, x):
    return w - 0.01 * jax.grad(lambda w: jnp.sum((x @ w) ** 2))(w)


def train(w, x, steps):
    w = jnp.asarray(w)
    for _ in range(steps):
        w = sgd(w, x)
    return w


def demonstrate():
    out = train(np.ones(3, np.float32), jnp.ones((2, 3)), 3)
    assert isinstance(out, jax.Array)
