"""Consistency-regularised classifier written with Equinox."""

import equinox as eqx
import jax
import jax.numpy as jnp
import optax


class Classifier(eqx.Module):
    body: eqx.nn.MLP

    def __init__(self, key):
        self.body = eqx.nn.MLP(6, 3, 24, depth=2, key=key)

    def __call__(self, x):
        return self.body(x)


def perturb(noise_key, batch, level=0.1):
    return batch + level * jax.random.normal(noise_key, batch.shape)


def consistency_loss(model, batch, labels, key):
    views = perturb(key, batch)
    logits = jax.vmap(model)(batch)
    shifted = jax.vmap(model)(views)
    fit = optax.softmax_cross_entropy_with_integer_labels(logits, labels).mean()
    return fit + jnp.mean((logits - shifted) ** 2)


@eqx.filter_jit
def train_step(model, opt_state, optimizer, batch, labels, key):
    loss, grads = eqx.filter_value_and_grad(consistency_loss)(model, batch, labels, key)
    updates, opt_state = optimizer.update(grads, opt_state, eqx.filter(model, eqx.is_array))
    return eqx.apply_updates(model, updates), opt_state, loss


def fit(seed=0, steps=30):
    model_key, data_key, loop_key = jax.random.split(jax.random.key(seed), 3)
    model = Classifier(model_key)
    batch = jax.random.normal(data_key, (32, 6))
    labels = (batch[:, 0] > 0).astype(jnp.int32) + (batch[:, 1] > 0).astype(jnp.int32)
    optimizer = optax.adam(3e-3)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_array))
    loss = None
    for _ in range(steps):
        loop_key, key = jax.random.split(loop_key)
        model, opt_state, loss = train_step(model, opt_state, optimizer, batch, labels, key)
    return model, loss


def demonstrate():
    batch = jnp.zeros((4, 6))
    one, two = jax.random.split(jax.random.key(3))
    first, second = perturb(one, batch), perturb(two, batch)
    assert not jnp.array_equal(first, second)
    _, loss = fit(steps=3)
    assert jnp.isfinite(loss)
