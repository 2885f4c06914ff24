"""Logistic regression with a watch on the gradient norm."""

import jax
import jax.numpy as jnp
import optax

def grad_norm(grads):
    return jnp.sqrt(sum(jnp.vdot(g, g) for g in jax.tree.leaves(grads)))


def clip(grads):
    norm = grad_norm(grads)
    return jax.tree.map(lambda g: g / jnp.maximum(norm, 1.0), grads), norm


def loss_fn(params, features, labels):
    logits = features @ params["w"] + params["b"]
    return optax.sigmoid_binary_cross_entropy(logits, labels).mean()


def build_trainer(learning_rate):
    optimizer = optax.sgd(learning_rate, momentum=0.9)

    @jax.jit
    def step(params, opt_state, features, labels):
        loss, grads = jax.value_and_grad(loss_fn)(params, features, labels)
        clipped, norm = clip(grads)
        updates, opt_state = optimizer.update(clipped, opt_state, params)
        return optax.apply_updates(params, updates), opt_state, loss, norm

    return optimizer, step


def fit(key, steps=20):
    optimizer, step = build_trainer(0.2)
    features = jax.random.normal(key, (64, 5))
    labels = (features.sum(axis=1) > 0).astype(jnp.float32)
    params = {"w": jnp.zeros(5), "b": jnp.zeros(())}
    opt_state = optimizer.init(params)
    loss = None
    for _ in range(steps):
        params, opt_state, loss, norm = step(params, opt_state, features, labels)
    return params, loss, norm * 1.0


def main():
    _, loss, norm = fit(jax.random.key(2))
    print("loss", loss, "gradient norm", norm)


def demonstrate():
    _, loss, norm = fit(jax.random.key(2), steps=2)
    assert jnp.isfinite(norm) and loss < 0.7
