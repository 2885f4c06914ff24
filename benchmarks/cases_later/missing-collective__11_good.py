"""after pmap step that never averages its gradients; slug: missing-collective; corrected twin"""
import os

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=2"

from functools import partial

import jax
import jax.numpy as jnp


def loss_fn(w, x, y):
    return jnp.mean((x @ w - y) ** 2)


@partial(jax.pmap, axis_name="devices", in_axes=(0, 0, 0))
def train_step(w, x, y):
    grads = jax.grad(loss_fn)(w, x, y)
    grads = jax.lax.pmean(grads, "devices")
    return w - 0.1 * grads


def fit(x, y, steps):
    n = jax.local_device_count()
    w = jnp.stack([jnp.zeros(x.shape[-1])] * n)
    for _ in range(steps):
        w = train_step(w, x, y)
    return w


def demonstrate():
    w = fit(jnp.arange(12.0).reshape(2, 3, 2) / 12, jnp.ones((2, 3)), 2)
    assert jnp.allclose(w[0], w[1])
