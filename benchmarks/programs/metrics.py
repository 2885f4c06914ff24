import jax
import jax.numpy as jnp


@jax.jit
def evaluate(w, x, y):
    acc = jnp.mean((x @ w > 0) == y)
    return {"accuracy": float(acc), "error": 1.0 - acc.item()}


# --- what it should do
assert float(evaluate(jnp.ones(1), jnp.ones((2, 1)), jnp.array([True, False]))["accuracy"]) == 0.5
