import jax
import jax.numpy as jnp

losses = []


@jax.jit
def train_step(w, x, y):
    def loss_fn(w):
        return jnp.mean((x @ w - y) ** 2)

    loss, grad = jax.value_and_grad(loss_fn)(w)
    losses.append(float(loss))
    return w - 0.1 * grad


w = jnp.zeros(2)
for _ in range(5):
    w = train_step(w, jnp.eye(2), jnp.ones(2))

# --- what it should do
assert w.shape == (2,)
assert float(w[0]) > 0.2
