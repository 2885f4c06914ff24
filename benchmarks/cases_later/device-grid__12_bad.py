"""after two axis names for a one-dimensional grid; slug: device-grid"""
import os

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=4"

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P


def mesh_2d():
    return Mesh(np.asarray(jax.devices()), ("data", "model"))  # expect: device-grid


def weights(dim):
    return jax.device_put(jnp.ones((dim, dim)), NamedSharding(mesh_2d(), P("data", "model")))


def demonstrate():
    try:
        weights(4)
    except Exception as err:
        assert type(err).__name__ == 'ValueError', repr(err)
    else:
        raise AssertionError('expected ValueError')
