"""a training step that skips bad gradients; slug: nan-comparison"""
import jax
import jax.numpy as jnp
import optax

opt = optax.sgd(0.1)


def loss(w, x):
    return jnp.sum(jnp.log(x @ w))


@jax.jit
def step(w, state, x):
    grads = jax.grad(loss)(w, x)
    bad = jnp.any(grads == jnp.nan)  # expect: nan-comparison
    updates, new_state = opt.update(grads, state)
    keep = lambda old, new: jnp.where(bad, old, new)
    return keep(w, optax.apply_updates(w, updates)), jax.tree.map(keep, state, new_state)


def demonstrate():
    w = jnp.ones(2)
    out, _ = step(w, opt.init(w), jnp.array([[jnp.nan, 1.0]]))
    assert jnp.isnan(out).any()
