"""Optimizers of optax: `update` and `init` compiled by the user, and fresh ones at each call."""

import counted  # noqa: F401 - counts JAX's log
import jax
import jax.numpy as jnp
import optax

params = {"w": jnp.ones(3), "b": jnp.zeros(2)}
tx = optax.adam(1e-3)
init = jax.jit(tx.init)  # jitted: tx.init: first
update = jax.jit(tx.update)  # jitted: tx.update: first
apply = jax.jit(optax.apply_updates)  # jitted: optax.apply_updates: first pytree
loss = jax.jit(jax.value_and_grad(optax.l2_loss))  # jitted: jax.value_and_grad(optax.l2_loss): first
state = init(params)
init(params)
for _ in range(3):
    updates, state = update(params, state)
    params = apply(params, updates)
    loss(1.0)
apply([jnp.ones(3)], [jnp.ones(3)])


def fit(rate):
    optimizer = optax.sgd(rate)
    moved = jax.jit(optimizer.update)  # jitted: optimizer.update: first new-function-object new-function-object
    return moved(params, optimizer.init(params))


for rate in (0.1, 0.2, 0.3):
    fit(rate)
