import jax
import jax.numpy as jnp


@jax.jit
def train_step(w, x, y):
    loss, g = jax.value_and_grad(lambda w: jnp.mean((x @ w - y) ** 2))(w)
    print(f"loss {loss}")
    print("grad norm", jnp.linalg.norm(g))
    return w - 0.1 * g, loss


# --- what it should do
import contextlib
import io

with contextlib.redirect_stdout(io.StringIO()) as text:
    train_step(jnp.zeros(1), jnp.ones((2, 1)), jnp.ones(2))
    train_step(jnp.zeros(1), jnp.ones((2, 1)), jnp.ones(2))
    jax.effects_barrier()
assert text.getvalue().count("loss 1.0") == 2, text.getvalue()
