"""after optimiser state from the first step for ever; slug: optimizer-state-misuse; corrected twin"""
import jax
import jax.numpy as jnp
import optax

tx = optax.adam(1e-1)


def loss_fn(params, batch):
    x, y = batch
    return jnp.mean((x @ params["w"] + params["b"] - y) ** 2)


@jax.jit
def train_step(params, opt_state, batch):
    grads = jax.grad(loss_fn)(params, batch)
    updates, opt_state = tx.update(grads, opt_state, params)
    return optax.apply_updates(params, updates), opt_state


def fit(params, batches):
    opt_state = tx.init(params)
    for batch in batches:
        params, opt_state = train_step(params, opt_state, batch)
    return params, opt_state


def demonstrate():
    p = {"w": jnp.zeros(2), "b": jnp.zeros(())}
    _, s = fit(p, [(jnp.ones((2, 2)), jnp.ones(2))] * 3)
    assert int(s[0].count) == 3
