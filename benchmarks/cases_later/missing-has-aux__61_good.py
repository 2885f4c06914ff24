"""Contrastive encoder with Flax NNX; the loss also returns the accuracy."""

import jax
import jax.numpy as jnp
import optax
from flax import nnx


class Encoder(nnx.Module):
    def __init__(self, features: int, width: int, *, rngs: nnx.Rngs):
        self.hidden = nnx.Linear(features, width, rngs=rngs)
        self.project = nnx.Linear(width, width, rngs=rngs)

    def __call__(self, x):
        z = self.project(nnx.relu(self.hidden(x)))
        return z / jnp.linalg.norm(z, axis=-1, keepdims=True)


def contrast(left, right, temperature=0.2):
    logits = left @ right.T / temperature
    targets = jnp.arange(logits.shape[0])
    loss = optax.softmax_cross_entropy_with_integer_labels(logits, targets).mean()
    return loss, jnp.mean(logits.argmax(axis=-1) == targets)


def loss_fn(model, anchors, views):
    return contrast(model(anchors), model(views))


@nnx.jit
def train_step(model, optimizer, anchors, views):
    grad_fn = nnx.value_and_grad(loss_fn, has_aux=True)
    (loss, accuracy), grads = grad_fn(model, anchors, views)
    optimizer.update(model, grads)
    return loss, accuracy


def pairs(key, count=16, features=8):
    base_key, noise_key = jax.random.split(key)
    anchors = jax.random.normal(base_key, (count, features))
    return anchors, anchors + 0.1 * jax.random.normal(noise_key, anchors.shape)


def main(steps=20):
    model = Encoder(8, 16, rngs=nnx.Rngs(0))
    optimizer = nnx.Optimizer(model, optax.adam(1e-2), wrt=nnx.Param)
    anchors, views = pairs(jax.random.key(1))
    loss = accuracy = None
    for _ in range(steps):
        loss, accuracy = train_step(model, optimizer, anchors, views)
    return loss, accuracy


def demonstrate():
    loss, accuracy = main(steps=3)
    assert jnp.isfinite(loss) and 0.0 <= accuracy <= 1.0
