"""after general knowledge; slug: optimizer-state-misuse"""
import jax
import jax.numpy as jnp
import optax


def fit(params, data, steps=3):
    tx = optax.adam(0.1)
    opt_state = tx.init(params)
    for _ in range(steps):
        grads = jax.grad(lambda p: jnp.sum((p - data) ** 2))(params)
        updates, opt_state = tx.update(grads, opt_state)
        optax.apply_updates(params, updates)  # expect: optimizer-state-misuse
    return params


def demonstrate():
    assert float(fit(jnp.zeros(2), jnp.ones(2)).sum()) == 0.0
