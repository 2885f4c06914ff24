"""Data parallelism over four devices of one host, by `pmap` and by `shard_map`."""

import os

os.environ["XLA_FLAGS"] = os.environ.get("XLA_FLAGS", "") + " --xla_force_host_platform_device_count=4"

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
from counted import ran
from jax import lax
from jax.sharding import Mesh, PartitionSpec

if hasattr(jax, "shard_map"):
    shard_map = jax.shard_map
else:
    from jax.experimental.shard_map import shard_map

DEVICES = 4
mesh = Mesh(np.array(jax.devices()), ("batch",))


def loss(w, x):
    ran("loss")
    return jnp.mean((x @ w) ** 2)


# reasons: first sharding shape
# reasons before 0.8: first shape
@partial(jax.pmap, axis_name="batch")
def step(w, x):
    ran("step")
    return w - 0.1 * lax.pmean(jax.grad(loss)(w, x), "batch")


# reasons: first static-value
@partial(jax.pmap, axis_name="batch", static_broadcasted_argnums=1)
def powered(x, n):
    ran("powered")
    return lax.psum(x**n, "batch")


# reasons: first
@partial(jax.pmap, axis_name="batch")
def evaluate(w, x):
    ran("evaluate")
    return lax.pmean(jnp.mean(x @ w), "batch")


@partial(shard_map, mesh=mesh, in_specs=(PartitionSpec(), PartitionSpec("batch")), out_specs=PartitionSpec())
def shard_loss(w, x):
    ran("shard_loss")
    return lax.pmean(jnp.mean(x @ w), "batch")


# reasons: first sharding shape
# reasons before 0.5: first no-retrace shape
@jax.jit
def sharded_step(w, x):
    ran("sharded_step")
    return w - 0.1 * shard_loss(w, x)


def split(batch):
    return batch.reshape(DEVICES, -1, *batch.shape[1:])


def main():
    w = jnp.ones(3)
    copies = jnp.stack([w] * DEVICES)
    full, last = np.ones((16, 3), np.float32), np.ones((8, 3), np.float32)
    for _ in range(2):
        for batch in (full, full, last):
            copies = step(copies, split(batch))
            w = sharded_step(w, batch)
    for _ in range(3):
        evaluate(copies, split(full))
    for n in (2, 3, 2):
        powered(split(full), n)


main()
