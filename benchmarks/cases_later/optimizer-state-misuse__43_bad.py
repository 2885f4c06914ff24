"""updates that nobody applies; slug: optimizer-state-misuse"""
import jax
import jax.numpy as jnp
import optax


def fit(xs, ys, steps):
    w = jnp.zeros(xs.shape[1])
    tx = optax.chain(optax.clip_by_global_norm(1.0), optax.sgd(0.1))
    state = tx.init(w)
    grad = jax.jit(jax.grad(lambda w: jnp.mean((xs @ w - ys) ** 2)))
    for _ in range(steps):
        updates, state = tx.update(grad(w), state, w)  # expect: optimizer-state-misuse
    return w


def demonstrate():
    w = fit(jnp.ones((4, 2)), jnp.ones(4), 10)
    assert bool((w == 0).all())
