"""Four devices on one host: where the arrays lie decides whether a program is compiled again, without a trace."""

import os

os.environ["XLA_FLAGS"] = os.environ.get("XLA_FLAGS", "") + " --xla_force_host_platform_device_count=4"

import jax
import jax.numpy as jnp
import numpy as np
from counted import ran
from jax.sharding import Mesh, NamedSharding, PartitionSpec

devices = np.array(jax.devices())
mesh = Mesh(devices, ("data",))
rows = NamedSharding(mesh, PartitionSpec("data"))
everywhere = NamedSharding(mesh, PartitionSpec())


# reasons: first no-retrace
@jax.jit
def train_step(params, batch):
    ran("train_step")
    grads = jax.grad(lambda p: jnp.mean((batch @ p) ** 2))(params)
    return params - 0.1 * grads


# reasons: first
@jax.jit
def placed_step(params, batch):
    ran("placed_step")
    grads = jax.grad(lambda p: jnp.mean((batch @ p) ** 2))(params)
    return params - 0.1 * grads


# reasons: first no-retrace no-retrace
@jax.jit
def on_device(x):
    ran("on_device")
    return x * 2


# reasons: first shape
@jax.jit
def constrained(x):
    ran("constrained")
    return jax.lax.with_sharding_constraint(x * 2, rows)


# reasons: first
def summed(x):
    ran("summed")
    return jnp.sum(x)


def main():
    assert len(devices) == 4
    batch = np.ones((8, 4), np.float32)
    params = jax.device_put(jnp.ones(4), everywhere)
    for _ in range(3):
        train_step(params, jax.device_put(batch, rows))
    for _ in range(2):
        train_step(params, jax.device_put(batch, everywhere))  # the same types, laid out otherwise
    placed = jax.device_put(jnp.ones(4), everywhere)
    for _ in range(4):
        placed_step(placed, jax.device_put(batch, rows))
    x = np.ones(8, np.float32)
    for device in (devices[0], devices[1], devices[2], devices[1]):
        on_device(jax.device_put(x, device))
    for size in (8, 8, 16):
        constrained(jnp.ones((size, 2)))
    total = jax.jit(summed, in_shardings=rows, out_shardings=everywhere)
    for _ in range(3):
        total(jax.device_put(batch, rows))


main()
