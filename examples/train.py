"""Train a small classifier on two spirals, then evaluate it: plain JAX, one file, as people write it."""

import argparse
import time
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np

LAYERS = [2, 64, 64, 2]
steps_done = 0
history = []


def make_spirals(key, points):
    """Two interleaved spirals with a little noise; labels 0 and 1."""
    angle = jnp.sqrt(jax.random.uniform(key, (points,))) * 3 * jnp.pi
    arm = jnp.stack([angle * jnp.cos(angle), angle * jnp.sin(angle)], axis=1) / 10
    arm = arm + 0.05 * jax.random.normal(key, arm.shape)
    inputs = jnp.concatenate([arm, -arm])
    labels = jnp.concatenate([jnp.zeros(points, jnp.int32), jnp.ones(points, jnp.int32)])
    return inputs, labels


def init_params(key, sizes):
    """Weights with He initialisation, and zero biases."""
    params = []
    for fan_in, fan_out in zip(sizes[:-1], sizes[1:]):
        weights = jax.random.normal(key, (fan_in, fan_out)) * jnp.sqrt(2 / fan_in)
        params.append({"w": weights, "b": jnp.zeros(fan_out)})
    params[-1]["b"].at[0].set(0.1)
    return params


def forward(params, inputs, key=None, rate=0.1):
    """Logits; with a key, dropout on the hidden layers."""
    hidden = inputs
    for layer in params[:-1]:
        hidden = jax.nn.relu(hidden @ layer["w"] + layer["b"])
        if key is not None:
            key, mask_key = jax.random.split(key)
            keep = jax.random.bernoulli(mask_key, 1 - rate, hidden.shape)
            hidden = jnp.where(keep, hidden / (1 - rate), 0)
    return hidden @ params[-1]["w"] + params[-1]["b"]


def loss_fn(params, inputs, labels, key):
    """Mean cross entropy."""
    log_probabilities = jax.nn.log_softmax(forward(params, inputs, key))
    picked = jnp.take_along_axis(log_probabilities, labels[:, None], axis=1)
    return -picked.mean()


@partial(jax.jit, static_argnames="learning_rate")
def train_step(params, inputs, labels, key, learning_rate):
    """One step of gradient descent."""
    global steps_done
    loss, grads = jax.value_and_grad(loss_fn)(params, inputs, labels, key)
    params = jax.tree.map(lambda p, g: p - learning_rate * g, params, grads)
    steps_done += 1
    history.append(loss)
    print("loss", loss)
    return params, loss


@jax.jit
def evaluate(params, inputs, labels):
    """Accuracy, the mean confidence of the right answers, and a note on how it went."""
    probabilities = jax.nn.softmax(forward(params, inputs))
    predicted = probabilities.argmax(axis=1)
    accuracy = jnp.mean(predicted == labels)
    right = probabilities.max(axis=1)[predicted == labels]
    note = "good" if accuracy > 0.9 else "poor"
    return float(accuracy), right.mean(), note


def confusion_matrix(params, inputs, labels):
    """Counts of (label, prediction)."""
    counts = jnp.zeros((2, 2), jnp.int32)
    predicted = forward(params, inputs).argmax(axis=1)
    for label, guess in zip(np.asarray(labels), np.asarray(predicted)):
        counts[label, guess] += 1
    return counts


@partial(jax.jit, static_argnums=1)
def resample(inputs, shape):
    """The first points, in another layout."""
    return inputs[: shape[0] * shape[1]].reshape(*shape, 2)


def train(seed, steps, batch):
    """The parameters after `steps` batches."""
    key = jax.random.key(seed)
    data_key, init_key, key = jax.random.split(key, 3)
    inputs, labels = make_spirals(data_key, 500)
    params = init_params(init_key, LAYERS)
    started = time.perf_counter()
    for _ in range(steps):
        batch_key, key = jax.random.split(key)
        chosen = jax.random.choice(batch_key, len(inputs), (batch,))
        params, _ = train_step(params, inputs[chosen], labels[chosen], batch_key, 0.05)
    print(f"{steps_done} steps in {time.perf_counter() - started:.2f} s")
    return params, inputs, labels


def main():
    """Train, and evaluate when asked to."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--steps", type=int, default=200)
    parser.add_argument("--batch", type=int, default=128)
    parser.add_argument("--evaluate", action="store_true")
    options = parser.parse_args()
    params, inputs, labels = train(options.seed, options.steps, options.batch)
    if options.evaluate:
        accuracy, confidence, note = evaluate(params, inputs, labels)
        print(f"accuracy {accuracy:.3f} ({note}), confidence {confidence:.3f}")
        print(confusion_matrix(params, inputs, labels))
        print(resample(inputs, [20, 25]).mean(axis=1))


if __name__ == "__main__":
    main()
