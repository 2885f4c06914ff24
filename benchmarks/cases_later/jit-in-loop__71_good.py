"""Logistic regression with a validation threshold that is tightened per epoch."""

from functools import partial

import jax
import jax.numpy as jnp
import optax


def predict(params, x):
    return jax.nn.sigmoid(x @ params["w"] + params["b"])


def loss_fn(params, x, y):
    logits = x @ params["w"] + params["b"]
    return optax.sigmoid_binary_cross_entropy(logits, y).mean()


def accuracy(params, x, y, threshold):
    return jnp.mean((predict(params, x) > threshold) == (y > 0.5))


def make_step(optimizer):
    @jax.jit
    def step(params, opt_state, x, y):
        grads = jax.grad(loss_fn)(params, x, y)
        updates, opt_state = optimizer.update(grads, opt_state, params)
        return optax.apply_updates(params, updates), opt_state

    return step


def train(x, y, x_val, y_val, epochs):
    optimizer = optax.adam(0.1)
    params = {"w": jnp.zeros(x.shape[1]), "b": jnp.zeros(())}
    opt_state = optimizer.init(params)
    step = make_step(optimizer)
    scores = []
    evaluate = jax.jit(partial(accuracy, threshold=0.5))
    for _ in range(epochs):
        params, opt_state = step(params, opt_state, x, y)
        scores.append(evaluate(params, x_val, y_val))
    return params, scores


def main():
    compiled = []

    def listener(event, duration, **kwargs):
        if event.endswith("backend_compile_duration") and kwargs.get("fun_name") != "step":
            compiled.append(event)

    data_key, val_key = jax.random.split(jax.random.key(0))
    x = jax.random.normal(data_key, (64, 3))
    x_val = jax.random.normal(val_key, (32, 3))
    y = (x[:, 0] > 0).astype(jnp.float32)
    y_val = (x_val[:, 0] > 0).astype(jnp.float32)
    train(x, y, x_val, y_val, 2)
    jax.monitoring.register_event_duration_secs_listener(listener)
    _, few = train(x, y, x_val, y_val, 3)
    after_few = len(compiled)
    _, many = train(x, y, x_val, y_val, 9)
    after_many = len(compiled) - after_few
    print("accuracy:", many[-1], "compilations:", after_few, after_many)
    assert after_many == after_few


if __name__ == "__main__":
    main()
