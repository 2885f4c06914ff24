import jax
import jax.numpy as jnp


@jax.jit
def update(params, grads, step):
    lr = 0.1
    if step > 100:
        lr = 0.01
    return params - lr * grads


# --- what it should do
assert jnp.allclose(update(jnp.ones(2), jnp.ones(2), 200), 0.99)
assert jnp.allclose(update(jnp.ones(2), jnp.ones(2), 1), 0.9)
