"""after a spec for an axis that the mesh does not have; slug: unknown-mesh-axis"""
import os

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=4"

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P


def make_mesh():
    return Mesh(np.array(jax.devices()).reshape(2, 2), ("data", "model"))


def shardings(mesh):
    return {
        "x": NamedSharding(mesh, P("batch", None)),  # expect: unknown-mesh-axis
        "w": NamedSharding(mesh, P(None, "model")),
    }


def place(x, w):
    specs = shardings(make_mesh())
    return jax.device_put(x, specs["x"]), jax.device_put(w, specs["w"])


def demonstrate():
    try:
        place(jnp.ones((4, 4)), jnp.ones((4, 4)))
    except Exception as err:
        assert type(err).__name__ == 'ValueError', repr(err)
    else:
        raise AssertionError('expected ValueError')
