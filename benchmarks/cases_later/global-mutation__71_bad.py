"""Softmax regression with a hand-written learning-rate warm-up."""

import jax
import jax.numpy as jnp
import optax

BASE_RATE = 0.5
WARMUP_STEPS = 50

step_count = 0


def warmup_rate():
    """Learning rate of the current step."""
    global step_count
    step_count += 1  # expect: global-mutation
    return BASE_RATE * min(1.0, step_count / WARMUP_STEPS)


def loss_fn(params, x, labels):
    logits = x @ params["kernel"] + params["bias"]
    return optax.softmax_cross_entropy_with_integer_labels(logits, labels).mean()


@jax.jit
def train_step(params, x, labels):
    loss, grads = jax.value_and_grad(loss_fn)(params, x, labels)
    rate = warmup_rate()
    updates = jax.tree.map(lambda g: -rate * g, grads)
    return optax.apply_updates(params, updates), {"loss": loss, "rate": rate}


def train(params, x, labels, steps):
    history = []
    for _ in range(steps):
        params, metrics = train_step(params, x, labels)
        history.append(metrics)
    return params, jax.device_get(history)


def main():
    x_key, label_key = jax.random.split(jax.random.key(13))
    labels = jax.random.randint(label_key, (120,), 0, 3)
    centres = 3.0 * jnp.eye(3, 5)
    x = centres[labels] + jax.random.normal(x_key, (120, 5))
    params = {"kernel": jnp.zeros((5, 3)), "bias": jnp.zeros(3)}
    _, history = train(params, x, labels, steps=100)
    print("loss:", history[-1]["loss"], "rate:", history[-1]["rate"])
    assert history[-1]["rate"] == history[0]["rate"] and step_count == 1


if __name__ == "__main__":
    main()
