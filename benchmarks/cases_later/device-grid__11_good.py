"""after a mesh from a jnp array of devices; slug: device-grid; corrected twin"""
import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P


def data_mesh():
    devices = np.array(jax.devices())
    return Mesh(devices, ("data",))


def place(x):
    return jax.device_put(x, NamedSharding(data_mesh(), P("data")))


def demonstrate():
    place(jnp.ones(4))
