import jax
import jax.numpy as jnp

last_grad = None


@jax.jit
def sgd(w, lr):
    global last_grad
    last_grad = jax.grad(lambda w: jnp.sum(w**2))(w)
    return w - lr * last_grad


w = sgd(jnp.ones(2), 0.5)
print(last_grad + 1)

# --- what it should do
assert last_grad.tolist() == [2.0, 2.0]
