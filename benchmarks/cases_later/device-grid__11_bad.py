"""after a mesh from a jnp array of devices; slug: device-grid"""
import jax
import jax.numpy as jnp
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P


def data_mesh():
    devices = jnp.array(jax.devices())  # expect: device-grid
    return Mesh(devices, ("data",))


def place(x):
    return jax.device_put(x, NamedSharding(data_mesh(), P("data")))


def demonstrate():
    try:
        place(jnp.ones(4))
    except Exception as err:
        assert type(err).__name__ == 'TypeError', repr(err)
    else:
        raise AssertionError('expected TypeError')
