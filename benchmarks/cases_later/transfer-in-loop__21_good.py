"""after NumPy features handed to the compiled step in each epoch; slug: transfer-in-loop; corrected twin"""
import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def epoch(w, x, y):
    return w - 0.1 * jax.grad(lambda w: jnp.mean((x @ w - y) ** 2))(w)


def load():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(256, 8)).astype(np.float32)
    return x, x.sum(1)


def train(epochs):
    x, y = load()
    x, y = jnp.asarray(x), jnp.asarray(y)
    w = jnp.zeros(8)
    for _ in range(epochs):
        w = epoch(w, x, y)
    return w


def demonstrate():
    assert jnp.isfinite(train(20)).all()
