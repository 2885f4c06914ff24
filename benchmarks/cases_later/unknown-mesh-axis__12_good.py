"""after psum over a name that shard_map's mesh does not bind; slug: unknown-mesh-axis; corrected twin"""
import os

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=4"

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, PartitionSpec as P

mesh = Mesh(np.array(jax.devices()[:4]), ("dp",))


def mean_loss(w, x):
    local = jnp.mean((x @ w) ** 2)
    return jax.lax.pmean(local, "dp")


@partial(jax.shard_map, mesh=mesh, in_specs=(P(), P("dp")), out_specs=P())
def loss(w, x):
    return mean_loss(w, x)


def run():
    return loss(jnp.ones(3), jnp.ones((8, 3)))


def demonstrate():
    run()
