import jax
import jax.numpy as jnp


def predict(w, x):
    return jax.jit(lambda w, x: jnp.tanh(x @ w))(w, x)


def evaluate(w, xs):
    return [predict(w, x) for x in xs]


# --- what it should do
assert len(evaluate(jnp.ones(2), jnp.ones((3, 2)))) == 3
