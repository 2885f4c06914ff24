import jax
import jax.numpy as jnp

losses = []


@jax.jit
def step(w):
    loss = jnp.sum(w**2)
    losses.append(loss)
    return w - 0.2 * w


w = jnp.ones(2)
for _ in range(3):
    w = step(w)

# --- what it should do
assert len(losses) == 3
