import jax
import jax.numpy as jnp


@jax.jit
def layer(w, x, activation):
    h = x @ w
    if activation == "relu":
        return jnp.maximum(h, 0)
    return jnp.tanh(h)


# --- what it should do
out = layer(jnp.eye(2), jnp.array([-1.0, 2.0]), "relu")
assert out.tolist() == [0.0, 2.0]
