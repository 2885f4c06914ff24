"""cross entropy of counts with zeros; slug: none"""
import jax
import jax.numpy as jnp
import optax


def entropy(p):
    safe = jnp.where(p > 0, p, 1.0)
    return -jnp.sum(jnp.where(p > 0, p * jnp.log(safe), 0.0))


def loss(logits):
    weights = logits**2
    return -entropy(weights / jnp.sum(weights))


def fit(logits, steps):
    tx = optax.sgd(0.1)
    state = tx.init(logits)
    for _ in range(steps):
        grads = jax.grad(loss)(logits)
        updates, state = tx.update(grads, state)
        logits = optax.apply_updates(logits, updates)
    return logits


def demonstrate():
    out = fit(jnp.array([0.0, 0.5, 2.0]), 2)
    assert not bool(jnp.isnan(out).any())
