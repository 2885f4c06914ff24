"""a linen training loop that never keeps its optimizer state; slug: optimizer-state-misuse"""
import jax
import jax.numpy as jnp
import optax
from flax import linen as nn

model = nn.Dense(1)
tx = optax.adam(1e-2)


@jax.jit
def train_step(params, opt_state, x, y):
    def loss_fn(p):
        return jnp.mean((model.apply(p, x) - y) ** 2)

    loss, grads = jax.value_and_grad(loss_fn)(params)
    updates, opt_state = tx.update(grads, opt_state, params)
    return optax.apply_updates(params, updates), opt_state, loss


def fit(x, y, steps):
    params = model.init(jax.random.key(0), x)
    opt_state = tx.init(params)
    for _ in range(steps):
        params, _, loss = train_step(params, opt_state, x, y)  # expect: optimizer-state-misuse
    return params, opt_state


def demonstrate():
    _, state = fit(jnp.ones((4, 2)), jnp.zeros((4, 1)), 3)
    assert int(state[0].count) == 0
