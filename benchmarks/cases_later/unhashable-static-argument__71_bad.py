"""Fit a spiral classifier from a config, with a piecewise learning rate."""

from functools import partial

import jax
import jax.numpy as jnp
import optax


def load_config():
    """What a YAML file would hold."""
    return {
        "seed": 3,
        "steps": 80,
        "rate": 0.5,
        "milestones": [30, 60],
    }


def spirals(key, count):
    turn = jnp.linspace(0.2, 3.0, count)
    label = jnp.arange(count) % 2
    angle = 2.0 * turn + jnp.pi * label
    points = turn[:, None] * jnp.stack([jnp.cos(angle), jnp.sin(angle)], axis=1)
    return points + 0.05 * jax.random.normal(key, points.shape), label


def init(key, width=32):
    first_key, second_key = jax.random.split(key)
    return {
        "first": jax.random.normal(first_key, (2, width)),
        "second": jax.random.normal(second_key, (width, 2)) / width**0.5,
    }


def loss_fn(params, points, labels):
    logits = jnp.tanh(points @ params["first"]) @ params["second"]
    return optax.softmax_cross_entropy_with_integer_labels(logits, labels).mean()


@partial(jax.jit, static_argnames=("milestones",))
def train_step(params, step, points, labels, rate, milestones):
    for milestone in milestones:
        rate = jnp.where(step >= milestone, 0.3 * rate, rate)
    loss, grads = jax.value_and_grad(loss_fn)(params, points, labels)
    return jax.tree.map(lambda p, g: p - rate * g, params, grads), loss


def run(config):
    data_key, init_key = jax.random.split(jax.random.key(config["seed"]))
    points, labels = spirals(data_key, 128)
    params = init(init_key)
    milestones, rate, losses = config["milestones"], config["rate"], []
    for step in range(config["steps"]):
        params, loss = train_step(params, step, points, labels, rate, milestones=milestones)  # expect: unhashable-static-argument
        losses.append(loss)
    return losses


def main():
    losses = run(load_config())
    assert losses[-1] < losses[0]
    print("loss:", losses[0], "->", losses[-1])


if __name__ == "__main__":
    main()
