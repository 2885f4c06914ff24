import jax
import jax.numpy as jnp
import numpy as np


def loss(w, x, y):
    logits = x @ w
    p = 1.0 / (1.0 + np.exp(-logits))
    return -jnp.mean(y * jnp.log(p) + (1 - y) * jnp.log(1 - p))


grad = jax.grad(loss)

# --- what it should do
assert grad(jnp.zeros(2), jnp.ones((3, 2)), jnp.ones(3)).tolist() == [-0.5, -0.5]
