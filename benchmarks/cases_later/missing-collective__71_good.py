"""Replicated training of a small network with pmap."""

from functools import partial

import jax
import jax.numpy as jnp

DEVICES = 4


def init(key, n_in, width):
    first_key, second_key = jax.random.split(key)
    return {
        "first": jax.random.normal(first_key, (n_in, width)) / n_in**0.5,
        "second": jax.random.normal(second_key, (width,)) / width**0.5,
    }


def loss_fn(params, batch):
    prediction = jnp.tanh(batch["x"] @ params["first"]) @ params["second"]
    return jnp.mean((prediction - batch["y"]) ** 2)


@partial(jax.pmap, axis_name="replica")
def train_step(params, batch):
    loss, grads = jax.value_and_grad(loss_fn)(params, batch)
    loss = jax.lax.pmean(loss, axis_name="replica")
    grads = jax.lax.pmean(grads, axis_name="replica")
    params = jax.tree.map(lambda p, g: p - 0.1 * g, params, grads)
    return params, loss


def replicate(tree):
    return jax.tree.map(lambda leaf: jnp.stack([leaf] * DEVICES), tree)


def shard(batch):
    return jax.tree.map(lambda a: a.reshape(DEVICES, -1, *a.shape[1:]), batch)


def spread(params):
    """Largest difference between the replicas of a parameter."""
    leaves = jax.device_get(jax.tree.leaves(params))
    return max(abs(leaf - leaf[:1]).max() for leaf in leaves)


def main():
    init_key, x_key = jax.random.split(jax.random.key(0))
    x = jax.random.normal(x_key, (128, 6))
    batch = shard({"x": x, "y": jnp.sin(x[:, 0]) + x[:, 1]})
    params = replicate(init(init_key, 6, 16))
    losses = []
    for _ in range(20):
        params, loss = train_step(params, batch)
        losses.append(loss)
    print("loss:", losses[-1][0], "spread of the replicas:", spread(params))
    assert losses[-1][0] < losses[0][0]
    assert spread(params) < 1e-6


if __name__ == "__main__":
    jax.config.update("jax_num_cpu_devices", DEVICES)
    main()
