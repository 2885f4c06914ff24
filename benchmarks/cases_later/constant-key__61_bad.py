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


def perturb(batch, level=0.1):
    noise_key = jax.random.key(17)  # expect: constant-key
    return batch + level * jax.random.normal(noise_key, batch.shape)


def consistency_loss(model, batch, labels):
    views = perturb(batch)
    logits = jax.vmap(model)(batch)
    shifted = jax.vmap(model)(views)
    fit = optax.softmax_cross_entropy_with_integer_labels(logits, labels).mean()
    return fit + jnp.mean((logits - shifted) ** 2)


@eqx.filter_jit
def train_step(model, opt_state, optimizer, batch, labels):
    loss, grads = eqx.filter_value_and_grad(consistency_loss)(model, batch, labels)
    updates, opt_state = optimizer.update(grads, opt_state, eqx.filter(model, eqx.is_array))
    return eqx.apply_updates(model, updates), opt_state, loss


def fit(seed=0, steps=30):
    model_key, data_key = jax.random.split(jax.random.key(seed))
    model = Classifier(model_key)
    batch = jax.random.normal(data_key, (32, 6))
    labels = (batch[:, 0] > 0).astype(jnp.int32) + (batch[:, 1] > 0).astype(jnp.int32)
    optimizer = optax.adam(3e-3)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_array))
    loss = None
    for _ in range(steps):
        model, opt_state, loss = train_step(model, opt_state, optimizer, batch, labels)
    return model, loss


def demonstrate():
    batch = jnp.zeros((4, 6))
    first, second = perturb(batch), perturb(batch)
    assert jnp.array_equal(first, second)
    _, loss = fit(steps=3)
    assert jnp.isfinite(loss)
