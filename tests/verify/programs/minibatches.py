"""Minibatch training of a small network: the last batch of each epoch is ragged, unless it is padded or left out."""

import jax
import jax.numpy as jnp
import numpy as np
from counted import ran

BATCH = 32
rng = np.random.default_rng(0)
images = rng.normal(size=(100, 8)).astype(np.float32)
labels = rng.integers(0, 3, size=100).astype(np.int32)


def init(key):
    first, second = jax.random.split(key)
    return {
        "hidden": {"w": jax.random.normal(first, (8, 16)) * 0.1, "b": jnp.zeros(16)},
        "out": {"w": jax.random.normal(second, (16, 3)) * 0.1, "b": jnp.zeros(3)},
    }


def forward(params, x):
    hidden = jax.nn.relu(x @ params["hidden"]["w"] + params["hidden"]["b"])
    return hidden @ params["out"]["w"] + params["out"]["b"]


def loss(params, x, y):
    ran("loss")
    logits = jax.nn.log_softmax(forward(params, x))
    return -jnp.mean(jnp.take_along_axis(logits, y[:, None], axis=1))


def masked_loss(params, x, y, mask):
    ran("masked_loss")
    logits = jax.nn.log_softmax(forward(params, x))
    picked = jnp.take_along_axis(logits, y[:, None], axis=1)[:, 0]
    return -jnp.sum(picked * mask) / jnp.sum(mask)


def descend(params, grads):
    return jax.tree_util.tree_map(lambda p, g: p - 0.1 * g, params, grads)


# reasons: first shape
@jax.jit
def train_step(params, x, y):
    ran("train_step")
    value, grads = jax.value_and_grad(loss)(params, x, y)
    return descend(params, grads), value


# reasons: first
@jax.jit
def padded_step(params, x, y, mask):
    ran("padded_step")
    value, grads = jax.value_and_grad(masked_loss)(params, x, y, mask)
    return descend(params, grads), value


# reasons: first
@jax.jit
def whole_step(params, x, y):
    ran("whole_step")
    value, grads = jax.value_and_grad(loss)(params, x, y)
    return descend(params, grads), value


# reasons: first shape
@jax.jit
def predict(params, x):
    ran("predict")
    return jnp.argmax(forward(params, x), axis=1)


def batches(*, drop_last):
    order = rng.permutation(len(images))
    end = len(images) - len(images) % BATCH if drop_last else len(images)
    for start in range(0, end, BATCH):
        chosen = order[start : start + BATCH]
        yield images[chosen], labels[chosen]


def padded(x, y):
    missing = BATCH - len(x)
    mask = np.concatenate([np.ones(len(x), np.float32), np.zeros(missing, np.float32)])
    return np.pad(x, ((0, missing), (0, 0))), np.pad(y, (0, missing)), mask


def main():
    params = init(jax.random.PRNGKey(0))
    for _ in range(3):
        for x, y in batches(drop_last=False):
            params, value = train_step(params, x, y)
    for _ in range(3):
        for x, y in batches(drop_last=False):
            params, value = padded_step(params, *padded(x, y))
    for _ in range(2):
        for x, y in batches(drop_last=True):
            params, value = whole_step(params, x, y)
    predict(params, images[:BATCH])
    predict(params, images)
    assert np.isfinite(float(value))


main()
