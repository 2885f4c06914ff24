"""after losses of several heads collected in a list; slug: sequence-argument"""

import jax
import jax.numpy as jnp


def head_loss(w, features, target):
    return jnp.mean((features @ w - target) ** 2)


def total_loss(params, features, targets):
    per_head = []
    for name in ("value", "policy"):
        per_head.append(head_loss(params[name], features, targets[name]))
    return jnp.mean(per_head)  # expect: sequence-argument


@jax.jit
def update(params, features, targets):
    grads = jax.grad(total_loss)(params, features, targets)
    return jax.tree.map(lambda p, g: p - 0.1 * g, params, grads)


def train():
    params = {"value": jnp.ones(3), "policy": jnp.ones(3)}
    features = jnp.ones((5, 3))
    targets = {"value": jnp.zeros(5), "policy": jnp.zeros(5)}
    return update(params, features, targets)


def demonstrate():
    try:
        train()
    except TypeError as err:
        assert "list" in str(err)
        return
    assert False
