"""after two axis names for a one-dimensional grid; slug: device-grid; corrected twin"""
import os

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=4"

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P


def mesh_2d():
    return Mesh(np.asarray(jax.devices()).reshape(2, 2), ("data", "model"))


def weights(dim):
    return jax.device_put(jnp.ones((dim, dim)), NamedSharding(mesh_2d(), P("data", "model")))


def demonstrate():
    weights(4)
