import jax
import jax.numpy as jnp


def loss_fn(w, x, y):
    prediction = x @ w
    loss = jnp.mean((prediction - y) ** 2)
    return loss, {"prediction": prediction}


@jax.jit
def update(w, x, y):
    (loss, metrics), grad = jax.value_and_grad(loss_fn)(w, x, y)
    return w - 0.1 * grad, loss, metrics


# --- what it should do
w, loss, metrics = update(jnp.zeros(2), jnp.eye(2), jnp.ones(2))
assert float(loss) == 1.0
assert metrics["prediction"].shape == (2,)
